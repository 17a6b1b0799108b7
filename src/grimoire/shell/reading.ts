import type { HoleRefusal } from "./refusal.ts";
import type { UnclearScriptError } from "./unclear.ts";

/** Indexes of holes, `end` not included. */
export interface HoleRange {
  first: number;
  end: number;
}

export function isEmpty(holes: HoleRange): boolean {
  return holes.first === holes.end;
}

/** What a command does with its standard input: reads it as code, or into variables that the shell may evaluate. */
export type StdinUse = HoleRefusal | { names: readonly string[] };

/** A here-document whose operator was read and whose text follows after the end of the line. */
export interface HereDocument {
  delimiter: string;
  /** Where the delimiter stands in the text, with its quotes. */
  start: number;
  end: number;
  isQuoted: boolean;
  stripTabs: boolean;
  /** What the commands that read it do with it, as far as that matters. */
  stdinUses: StdinUse[];
  /** Set when its text has been read. */
  holes?: HoleRange;
}

/** Values that go into a variable. */
export interface Assignment {
  name: string;
  isDeclaration: boolean;
  holes: HoleRange;
}

/** The part of the lexer that pipelines need. */
export interface ScriptReading {
  readonly at: number;
  readonly nextHole: number;
  readonly pending: HereDocument[];
  checkStdin(use: StdinUse, holes: HoleRange): void;
  unclear(what: string, hint: string): UnclearScriptError;
}
