import { visibleControls } from "../../text/controls.ts";
import { bestLines } from "./best-lines.ts";
import { lineNumbersOf } from "./line-numbers.ts";

/** In characters: larger files are not searched for what is closest. */
const maxText = 32 * 1024 * 1024;
const maxFind = 200_000;

/** Ways in which a text may differ, from the least to the most, each as what is left when it does not count. */
const differences: [name: string, normalLine: (line: string) => string][] = [
  ["the line ends", (line) => (line.endsWith("\r") ? line.slice(0, -1) : line)],
  ["blanks at the ends of lines", (line) => line.trimEnd()],
  ["the indentation", (line) => line.trim()],
  ["blanks", (line) => line.replaceAll(/\s/g, "")],
  ["upper and lower case, or blanks", (line) => line.replaceAll(/\s/g, "").toLowerCase()],
];

/** What in a text is closest to one that does not stand in it, and how it differs: words that go on a sentence. Each look is one pass. */
export function describeClosest(text: string, find: string): string {
  if (text === "") return "; the file is empty";
  if (text.length > maxText || find.length > maxFind) return "";
  const lines = text.split("\n");
  const wanted = find.split("\n");
  for (const [name, normal] of differences) {
    const at = findLines(lines.map(normal), wanted.map(normal));
    if (at !== undefined)
      return `; ${linesOf(at, wanted.length)} ${wanted.length === 1 ? "differs" : "differ"} only in ${name}${firstDifference(lines, wanted, at)}`;
  }
  const best = bestLines(lines, wanted);
  if (best === undefined) return ", nor anything like it";
  const { start, same } = best;
  const score = wanted.length === 1 ? "" : ` (${same} of ${wanted.length} lines are the same)`;
  return `; closest is ${linesOf(start, wanted.length)}${score}${firstDifference(lines, wanted, start)}`;
}

/** Where lines stand one after the other, the first and last also as parts of lines; undefined when they do not. */
function findLines(lines: string[], wanted: string[]): number | undefined {
  const needle = wanted.join("\n");
  if (needle.trim() === "") return undefined;
  const whole = lines.join("\n");
  const at = whole.indexOf(needle);
  return at === -1 ? undefined : lineNumbersOf(whole, [at])[0]! - 1;
}

function linesOf(start: number, count: number): string {
  return count === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${start + count}`;
}

/** The first pair of lines that differ, below each other. */
function firstDifference(lines: readonly string[], wanted: readonly string[], start: number): string {
  const index = wanted.findIndex((line, at) => line !== lines[start + at]);
  if (index === -1) return "";
  const line = lines[start + index];
  const found = line === undefined ? "the end of the file" : visibleBlanks(line);
  const label = `the file, line ${start + index + 1}: `;
  return `\n  ${label}${found}\n  ${"FIND:".padEnd(label.length)}${visibleBlanks(wanted[index]!)}`;
}

/** A line with its blanks to be seen. */
function visibleBlanks(line: string): string {
  const cut = line.length > 160 ? `${line.slice(0, 160)}…` : line;
  const blanksAtEnd = cut.length - cut.trimEnd().length;
  const ended = blanksAtEnd > 0 ? `${cut.slice(0, -blanksAtEnd)}${cut.slice(-blanksAtEnd).replaceAll(" ", "·")}` : cut;
  return visibleControls(ended).replaceAll("\t", "→").replaceAll("\u00A0", "⍽").toWellFormed();
}
