import { hideReturns, showReturns } from "./escape.ts";
import { scan } from "./scan.ts";

/** A note is prose outside callouts. Lines that would read as something else get a backslash in front. */

const markers = String.raw`(?:##? |> ?\[!|\*\*Tool calls:\*\*|(?: {2})?<!--|\`{3}|~{3}|-{3,}[ \t]*$)`;
const shown = new RegExp(String.raw`^(?=\\*${markers})`);
const hidden = new RegExp(String.raw`^\\(?=\\*${markers})`);

/** Outer empty lines do not belong to a note, and a note is never empty. */
export function trimNote(text: string): string {
  return text.replace(/^(?:[ \t\r]*\n)+/, "").trimEnd();
}

export function renderNote(text: string): string {
  const lines = text.split("\n").map((line) => hideReturns(line).replace(shown, "\\"));
  return `${lines.join("\n")}\n`;
}

/** A note as it stands in the file, with what a person put there left as it is: fences keep their lines. */
export function parseNote(raw: string): string {
  const text = trimNote(raw);
  if (!text.includes("\\") && !text.includes("&#13;")) return text;
  let plain = "";
  let at = 0;
  scan(text, 0, (_, start, end) => {
    const block = text.slice(start, end);
    plain += text.slice(at, start) + (/^(?:```|~~~)/.test(block) ? block : showLines(block));
    at = end;
  });
  return plain + text.slice(at);
}

function showLines(block: string): string {
  return block
    .split("\n")
    .map((line) => showReturns(line.replace(hidden, "")))
    .join("\n");
}
