import type { Scalar } from "yaml";
import type { Place } from "../../contract/problem.ts";
import { blockRuns, flowRuns, type Run } from "./text-runs.ts";
import type { LineIndex } from "./line-index.ts";

/** The offset in the file of a place inside the text that a YAML scalar holds. */
export function sourceOffset(text: Scalar<string>, source: string, lines: LineIndex, inside: Place): number {
  if (text.type === "BLOCK_LITERAL") return literalOffset(text, source, lines, inside);
  const [start, end] = text.range!;
  const written = source.slice(start, end);
  const runs = text.type === "BLOCK_FOLDED" ? blockRuns(written, text.value) : flowRuns(written);
  return start + writtenOffset(runs, valueOffset(text.value, inside));
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
  const into = inside.line > line ? valueLine.length : columnOffset(valueLine, inside.column);
  return Math.min(lineStart + indent + into, end);
}

/** The offset in the value of a line and column, kept within that line. */
function valueOffset(value: string, { line, column }: Place): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = value.indexOf("\n", start);
    if (next === -1) return value.length;
    start = next + 1;
  }
  const end = value.indexOf("\n", start);
  return start + columnOffset(value.slice(start, end === -1 ? value.length : end), column);
}

/** How far into a line a column is, which counts characters and not the halves that JavaScript counts. */
function columnOffset(line: string, column: number): number {
  let offset = 0;
  for (let at = 1; at < column && offset < line.length; at++) offset += line.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
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
