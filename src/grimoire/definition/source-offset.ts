import type { Scalar } from "yaml";
import type { Place } from "../../contract/problem.ts";
import { blockRuns, flowRuns, type Run } from "./text-runs.ts";
import { LineIndex } from "../text/line-index.ts";

/** The offset in the file of a place inside the text that a YAML scalar holds. */
export function sourceOffset(text: Scalar<string>, source: string, lines: LineIndex, inside: Place): number {
  if (text.type === "BLOCK_LITERAL") return literalOffset(text, source, lines, inside);
  const [start, end] = text.range!;
  const written = source.slice(start, end);
  const runs = text.type === "BLOCK_FOLDED" ? blockRuns(written, text.value) : flowRuns(written);
  return start + writtenOffset(runs, new LineIndex(text.value).offsetOf(inside));
}

/** A literal block keeps its lines. Only the indentation is to be added: it is what a line of the value lacks. */
function literalOffset(text: Scalar<string>, source: string, lines: LineIndex, inside: Place): number {
  const [start, end] = text.range!;
  const valueLines = text.value.split("\n");
  // Behind the last line feed the file shows nothing of the text any more.
  if (valueLines.length > 1 && valueLines.at(-1) === "") valueLines.pop();
  const line = Math.min(inside.line, valueLines.length);
  const valueLine = valueLines[line - 1]!;
  const fileLine = lines.placeOf(start).line + line;
  const lineStart = lines.startOf(fileLine);
  const written = source.slice(lineStart, lines.startOf(fileLine + 1)).replace(/\r?\n$/, "");
  const indent = Math.max(0, written.length - valueLine.length);
  const into = inside.line > line ? valueLine.length : new LineIndex(valueLine).offsetOf({ ...inside, line: 1 });
  return Math.min(lineStart + indent + into, end);
}

/** Inside a run, the same character; between two, the end of the first. */
function writtenOffset(runs: readonly Run[], valueAt: number): number {
  let found: Run | undefined;
  for (const run of runs) {
    if (run.value > valueAt) break;
    found = run;
  }
  if (!found) return runs[0]?.written ?? 0;
  return found.written + Math.min(valueAt - found.value, found.length);
}
