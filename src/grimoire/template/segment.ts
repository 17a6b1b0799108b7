import type { Place } from "../../contract/problem.ts";
import type { Data } from "./unknown.ts";

/** A piece of the output. All pieces joined are the rendered text. */
export type Segment =
  /** Text of the template itself. */
  | ({ kind: "text"; text: string } & Place)
  /** What an action printed, where that action starts, and its value as plain data: undefined when missing. */
  | ({ kind: "value"; text: string; value: Data; /** Printed by `raw`. */ raw: boolean } & Place)
  /** Stands where an unknown value leaves open what is printed: `⟨if label⟩`, `⟨else⟩`, `⟨end⟩` … */
  | { kind: "marker"; text: string };

export function segmentsText(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("");
}
