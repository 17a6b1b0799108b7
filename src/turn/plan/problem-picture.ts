import type { Problem } from "../../contract/problem.ts";
import { visibleControls } from "../../text/controls.ts";

/** In characters: what is shown of a long line, around the place. */
const width = 100;

/** The line of each problem with its number, a caret below the column, and the expected form. In the order of the problems, without a newline at the end. */
export function problemPictures(text: string, problems: readonly Problem[]): string[] {
  const lines = text.split("\n");
  return problems.map((problem) => picture(lines[problem.line - 1] ?? "", problem));
}

function picture(line: string, { line: number, column, hint }: Problem): string {
  const plain = line.replace(/^\uFEFF/, "");
  // A line may be as long as the whole text: only what may be shown is cut into characters.
  const near = Array.from(visibleControls(plain.slice(0, 4 * (column + width)).trimEnd()).replaceAll("\t", " "));
  const start = column <= width ? 0 : column - Math.floor(width / 2);
  const shown = near.slice(start, start + width);
  const before = start > 0 ? "…" : "";
  const after = start + width < near.length ? "…" : "";
  const margin = " ".repeat(String(number).length);
  const caret = " ".repeat(Math.max(0, column - 1 - start + before.length));
  return [
    ` ${number} │ ${before}${shown.join("")}${after}`,
    ` ${margin} │ ${caret}^`,
    ...(hint === undefined ? [] : [` ${margin} │ expected: ${hint}`]),
  ].join("\n");
}
