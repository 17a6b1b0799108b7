import { IndexDamaged } from "./damaged.ts";

/** A named TOON table. Its columns are fixed, so a header with others comes from another version or from damage. */
export interface TableForm {
  key: string;
  fields: string;
}

export function writeTable(form: TableForm, lines: string[]): string {
  if (lines.length === 0) return `${form.key}: []\n`;
  return `${form.key}[${lines.length}]{${form.fields}}:\n  ${lines.join("\n  ")}\n`;
}

/** The lines of the table that starts at `from`, without their indent, and the place where the next thing starts. */
export function readTable(form: TableForm, text: string, from: number): { lines: string[]; next: number } {
  const empty = `${form.key}: []\n`;
  if (text.startsWith(empty, from)) return { lines: [], next: from + empty.length };
  const count = Number.parseInt(text.slice(from + form.key.length + 1, from + form.key.length + 12), 10);
  const header = `${form.key}[${count}]{${form.fields}}:\n`;
  if (!text.startsWith(header, from)) throw new IndexDamaged(`no table "${form.key}" where one belongs`);
  const lines: string[] = [];
  let at = from + header.length;
  for (let row = 0; row < count; row += 1) {
    const end = text.indexOf("\n", at);
    if (end < 0 || !text.startsWith("  ", at)) throw new IndexDamaged(`table "${form.key}" lacks rows`);
    lines.push(text.slice(at + 2, end));
    at = end + 1;
  }
  return { lines, next: at };
}
