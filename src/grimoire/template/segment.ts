import type { Data } from "./unknown.ts";

/** A piece of the output. All pieces joined are the rendered text. */
export type Segment = TextSegment | ValueSegment | MarkerSegment;

/** Text of the template itself. */
export interface TextSegment {
  kind: "text";
  text: string;
  line: number;
  column: number;
}

/** What an action printed, and where that action starts. */
export interface ValueSegment {
  kind: "value";
  text: string;
  /** The value as plain data; undefined when missing. */
  value: Data;
  /** Whether the action printed the result of `raw`. */
  raw: boolean;
  line: number;
  column: number;
}

/** Stands where an unknown value leaves open what is printed: `⟨if label⟩`, `⟨else⟩`, `⟨end⟩` … */
export interface MarkerSegment {
  kind: "marker";
  text: string;
}

export function textOf(segments: readonly Segment[]): string {
  let text = "";
  for (const segment of segments) text += segment.text;
  return text;
}
