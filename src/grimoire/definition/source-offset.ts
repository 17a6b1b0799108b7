import type { Scalar } from "yaml";
import type { Place } from "../../contract/problem.ts";
import { blockRuns, flowRuns, type Run } from "./text-runs.ts";
import { LineIndex } from "../text/line-index.ts";

/** The offset in the file of a place inside the text that a YAML scalar holds. */
export function sourceOffset(text: Scalar<string>, source: string, lines: LineIndex, place: Place): number {
  if (text.type === "BLOCK_LITERAL") return literalOffset(text, source, lines, place);
  const [start, end] = text.range!;
  const sourceText = source.slice(start, end);
  const runs = text.type === "BLOCK_FOLDED" ? blockRuns(sourceText, text.value) : flowRuns(sourceText);
  return start + offsetInSource(runs, new LineIndex(text.value).offsetOf(place));
}

/** A literal block keeps its lines; only the indentation, which the value lacks, is added. */
function literalOffset(text: Scalar<string>, source: string, lines: LineIndex, place: Place): number {
  const [start, end] = text.range!;
  const valueLines = text.value.split("\n");
  // Behind the last line feed there is no text in the file.
  if (valueLines.length > 1 && valueLines.at(-1) === "") valueLines.pop();
  const line = Math.min(place.line, valueLines.length);
  const valueLine = valueLines[line - 1]!;
  const fileLine = lines.placeOf(start).line + line;
  const lineStart = lines.startOf(fileLine);
  const sourceText = source.slice(lineStart, lines.startOf(fileLine + 1)).replace(/\r?\n$/, "");
  const indent = Math.max(0, sourceText.length - valueLine.length);
  const column = place.line > line ? valueLine.length : new LineIndex(valueLine).offsetOf({ ...place, line: 1 });
  return Math.min(lineStart + indent + column, end);
}

/** Inside a run, the same character; between two, the end of the first. */
function offsetInSource(runs: readonly Run[], valueOffset: number): number {
  let lastRun: Run | undefined;
  for (const run of runs) {
    if (run.valueStart > valueOffset) break;
    lastRun = run;
  }
  if (!lastRun) return runs[0]?.sourceStart ?? 0;
  return lastRun.sourceStart + Math.min(valueOffset - lastRun.valueStart, lastRun.length);
}
