import { idOfLine } from "./entry.ts";

const newline = 0x0a;
const comma = 0x2c;
const quote = 0x22;

/** The lines of the rows in a shard's bytes; with a needle, only those that hold it (with the newline before them). */
export function* rowLines(bytes: Buffer, headBytes: number, needle?: string): Generator<string> {
  let before = bytes.indexOf(newline, headBytes);
  while (before + 1 < bytes.length) {
    if (needle !== undefined) {
      const hit = bytes.indexOf(needle, before);
      if (hit < 0) return;
      before = bytes.lastIndexOf(newline, hit);
    }
    const end = bytes.indexOf(newline, before + 1);
    yield bytes.toString("utf8", before + 3, end);
    before = end;
  }
}

/** The ids of the rows in a shard's bytes, in order, without looking at the rest of the lines. */
export function rowIds(bytes: Buffer, headBytes: number): string[] {
  const ids: string[] = [];
  let before = bytes.indexOf(newline, headBytes);
  while (before + 1 < bytes.length) {
    const start = before + 3;
    const end = bytes.indexOf(newline, start);
    if (bytes[start] === quote) ids.push(idOfLine(bytes.toString("utf8", start, end)));
    else ids.push(bytes.toString("utf8", start, bytes.indexOf(comma, start)));
    before = end;
  }
  return ids;
}
