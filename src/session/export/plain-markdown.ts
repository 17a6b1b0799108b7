import { visibleControls } from "../../text/controls.ts";

// Data in Markdown that the program writes: none of it becomes markup.

export function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

export function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${escaped(onOneLine(line))}`)
    .join("\n");
}

const longest = 500;

/** A text on one line that a page shows as it is: no links, no markup, no cell of a table ends in it. */
export function plain(text: string): string {
  const line = onOneLine(text);
  return escaped(line.length > longest ? `${line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "")}…` : line);
}

function onOneLine(text: string): string {
  return visibleControls(text).replace(/\s+/g, " ").trim();
}

/** No links, no markup, and no block begins with it. */
function escaped(line: string): string {
  return line
    .replace(/[\\`*_{}[\]<>|#~&!@$]/g, "\\$&")
    .replace(/:\/\//g, "\\://")
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^(?:[-+=]|(\d{1,9})(?=[.)]))/, (found, digits?: string) =>
      digits === undefined ? `\\${found}` : `${digits}\\`,
    );
}
