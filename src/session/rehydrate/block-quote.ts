import { visibleControls } from "../../text/controls.ts";

/**
 * What was logged, behind `>` line by line: no line of it can look like one of ours, whatever stands in it. Control characters
 * become visible; every kind of line end is one.
 */
export function blockQuote(text: string): string {
  return linesOf(text)
    .map((line) => (line === "" ? ">\n" : `> ${line}\n`))
    .join("");
}

function linesOf(text: string): string[] {
  const lines = text
    .toWellFormed()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => visibleControls(line).trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines.filter((line, at) => line !== "" || lines[at - 1] !== "");
}
