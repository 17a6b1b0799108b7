import { isAscii, isUtf8 } from "node:buffer";
import type { BeadList } from "../../app/bead/ports.ts";
import type { UnreadableBead } from "../../contract/api/bead-shapes.ts";
import { isOtherRecord, beadProblem } from "../../bead/bead-shape.ts";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";

const newline = 0x0a;

/** A line without its line feed, by its offsets in the file. */
export interface LineRange {
  start: number;
  end: number;
}

/** What stands in a line. A damaged one has the id of the bead that it seems to be. */
export type LineContent =
  | { kind: "bead"; bead: Bead }
  | { kind: "other" }
  | { kind: "blank" }
  | { kind: "damaged"; reason: string; id: string | undefined };

export function readLine(bytes: Buffer, range: LineRange): LineContent {
  const text = beadLineText(bytes, range);
  // Bytes that are not UTF-8 could not be written back as they are.
  return contentOf(text, isUtf8(bytes.subarray(range.start, range.end)));
}

/** Reads many lines of one file: checks the encoding of all bytes at once where it can. */
function lineReader(bytes: Buffer): (range: LineRange) => LineContent {
  if (!isUtf8(bytes)) return (range) => readLine(bytes, range);
  if (!isAscii(bytes)) return (range) => contentOf(beadLineText(bytes, range), true);
  const text = bytes.toString("latin1");
  return ({ start, end }) => contentOf(text.slice(start, end), true);
}

function contentOf(text: string, isSound: boolean): LineContent {
  if (text.trim() === "") return { kind: "blank" };
  if (!isSound) return { kind: "damaged", reason: "not UTF-8", id: firstId(text) };
  const value = parseJson(text);
  if (value === undefined) return { kind: "damaged", reason: damageReason(text), id: firstId(text) };
  if (!isObject(value)) return { kind: "damaged", reason: "not a JSON object", id: undefined };
  if (isOtherRecord(value)) return { kind: "other" };
  const reason = beadProblem(value);
  if (reason === undefined) return { kind: "bead", bead: value as Bead };
  const { id } = value;
  return { kind: "damaged", reason, id: typeof id === "string" && id !== "" ? id : undefined };
}

/** The text of a line, without the byte order mark that a file may begin with. */
export function beadLineText(bytes: Buffer, { start, end }: LineRange): string {
  const text = bytes.toString("utf8", start, end);
  return start === 0 && text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function damageReason(text: string): string {
  return /^(?:<{7}|={7}|>{7}|\|{7})/.test(text) ? "a merge conflict that git left" : "not a JSON object";
}

/** All lines from the first to the last. */
export function* eachLine(bytes: Buffer): Generator<LineRange> {
  for (let start = 0; start < bytes.length;) {
    const lineFeed = bytes.indexOf(newline, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    yield { start, end };
    start = end + 1;
  }
}

function firstId(text: string): string | undefined {
  return /"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
}

/** Every id that a line has, deleted and damaged beads too. Cheap: most lines begin with their id, and need not be parsed. */
export function idsIn(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const idAtStart = /\{"id": ?"([^"\\\u007f-\u00ff]+)"/y;
  const ids = new Set<string>();
  for (let start = 0; start < text.length;) {
    const lineFeed = text.indexOf("\n", start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    idAtStart.lastIndex = start;
    const id = idAtStart.exec(text)?.[1] ?? idOf(readLine(bytes, { start, end }));
    if (id !== undefined) ids.add(id);
    start = end + 1;
  }
  return [...ids];
}

/** The id of the bead that a line holds, or seems to hold. */
export function idOf(line: LineContent): string | undefined {
  if (line.kind === "bead") return line.bead.id;
  return line.kind === "damaged" ? line.id : undefined;
}

/** All beads in the order of the file, of several lines the last; deleted ones apart. `file` is its name for a person. */
export function beadsIn(bytes: Buffer, file: string): BeadList & { deleted: Bead[] } {
  const lastBeads = new Map<string, Bead>();
  const unreadable: UnreadableBead[] = [];
  const read = lineReader(bytes);
  let number = 0;
  for (const range of eachLine(bytes)) {
    number++;
    const line = read(range);
    if (line.kind === "damaged") {
      unreadable.push({ place: `${file}:${number}`, reason: line.reason });
      // An older line is not the bead's present state.
      if (line.id !== undefined) lastBeads.delete(line.id);
    }
    if (line.kind !== "bead") continue;
    lastBeads.delete(line.bead.id);
    lastBeads.set(line.bead.id, line.bead);
  }
  const isDeleted = ({ status }: Bead): boolean => status === tombstone;
  const all = [...lastBeads.values()];
  return { beads: all.filter((bead) => !isDeleted(bead)), unreadable, deleted: all.filter(isDeleted) };
}

/** The texts of all lines that count, as they stand: other records too, and of several lines of a bead the last. */
export function textsIn(bytes: Buffer): string[] {
  const texts = new Map<string, string>();
  const read = lineReader(bytes);
  for (const range of eachLine(bytes)) {
    const line = read(range);
    const id = idOf(line);
    if (id !== undefined) texts.delete(`bead ${id}`);
    const key = line.kind === "bead" ? `bead ${id}` : `record ${range.start}`;
    if (line.kind === "bead" || line.kind === "other") texts.set(key, beadLineText(bytes, range).trim());
  }
  return [...texts.values()];
}

/** The file with another text for some lines, in pieces; every other byte stays. */
export function replacedLines(bytes: Buffer, lines: (LineRange & { text: string })[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let copiedTo = 0;
  for (const { start, end, text } of lines.toSorted((a, b) => a.start - b.start)) {
    const hasMark = start === 0 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    parts.push(bytes.subarray(copiedTo, hasMark ? byteOrderMark.length : start), Buffer.from(text));
    copiedTo = end;
  }
  return [...parts, bytes.subarray(copiedTo)];
}

/** The file with lines added, in pieces. They end as its first line does; a last line without an end is given one. */
export function appendedLines(bytes: Buffer, texts: string[]): Uint8Array[] {
  if (texts.length === 0) return [bytes];
  const first = bytes.indexOf(newline);
  const end = first > 0 && bytes[first - 1] === 0x0d ? "\r\n" : "\n";
  const missingEnd = bytes.length > 0 && bytes.at(-1) !== newline ? end : "";
  return [bytes, Buffer.from(missingEnd + texts.map((text) => text + end).join(""))];
}

const byteOrderMark = Buffer.from("\uFEFF");

export function damagedLine(
  bytes: Buffer,
  start: number,
  { file, reason }: { file: string; reason: string },
): ClewError {
  let number = 1;
  for (let at = bytes.indexOf(newline); at >= 0 && at < start; at = bytes.indexOf(newline, at + 1)) number++;
  return new ClewError(
    "damaged_beads",
    `${file}:${number}: ${reason}`,
    `mend or remove that line; git log -p -- ${file} shows how it was`,
  );
}
