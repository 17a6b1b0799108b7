import type { Refusal } from "./refusal.ts";
import type { Unclear } from "./unclear.ts";

/** Indexes of holes, `end` not included. */
export interface HoleRange {
  first: number;
  end: number;
}

export function isEmpty(holes: HoleRange): boolean {
  return holes.first === holes.end;
}

/** Why a command's standard input must not hold values: it is code, or it goes into variables that may be evaluated. */
export type Input = Refusal | { names: readonly string[] };

/** A here-document whose operator was read and whose text follows after the end of the line. */
export interface HereDocument {
  delimiter: string;
  /** Where the delimiter stands in the text, with its quotes. */
  start: number;
  end: number;
  quoted: boolean;
  stripTabs: boolean;
  /** What the commands that read it make of it, as far as that matters. */
  inputs: Input[];
  /** Set when its text has been read. */
  holes?: HoleRange;
}

/** Values that go into a variable. */
export interface Assignment {
  name: string;
  declared: boolean;
  holes: HoleRange;
}

/** How far the lexer has come, for those who only look at that and judge holes. */
export interface Reading {
  readonly at: number;
  readonly nextHole: number;
  readonly pending: HereDocument[];
  takeInput(input: Input, holes: HoleRange): void;
  unclear(what: string, hint: string): Unclear;
}
