import { fromMarkdown, toMarkdown } from "./markdown/lines.ts";

/** A note is prose outside callouts, where a person may write as well. */
const place = { column: 0, continues: true, isInline: false };

/** The scanner knows fences at the margin only, and some lines end them for it. */
const endsFence = /^(?:[ \t]+(?:`{3}|~{3})|<!--|`{3,}tasks)/;

/** Outer empty lines do not belong to a note, and a note is never empty. */
export function trimNote(text: string): string {
  return text.replace(/^(?:[ \t\r]*\n)+/, "").trimEnd();
}

export function renderNote(text: string): string {
  const lines = toMarkdown(text, { ...place, hidesIndent: true, isCode: (line) => !endsFence.test(line) });
  return `${lines.join("\n")}\n`;
}

/** A note as it stands in the file, with what a person put there. */
export function parseNote(raw: string): string {
  const text = trimNote(raw);
  return fromMarkdown(text.split("\n"), place);
}
