import { isUtf8 } from "node:buffer";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";

/** Where beads stand, as a person knows it. */
export const shownFile = ".beads/issues.jsonl";

const newline = 0x0a;

/** A line without its line feed, by its offsets in the file. */
export interface Place {
  start: number;
  end: number;
}

/** What a line is: a bead, another record, nothing, or damaged. */
export type LineContent =
  | { kind: "bead"; bead: Bead }
  | { kind: "other" }
  | { kind: "blank" }
  | { kind: "damaged"; reason: string };

export function readLine(bytes: Buffer, { start, end }: Place): LineContent {
  const text = textOf(bytes, { start, end });
  if (text.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "damaged", reason: damage(text) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "damaged", reason: "not a JSON object" };
  }
  const fields = value as Record<string, unknown>;
  // Other records than issues name their kind.
  if (fields["_type"] !== undefined && fields["_type"] !== "issue") return { kind: "other" };
  if (typeof fields["id"] !== "string") return { kind: "damaged", reason: "no id" };
  if (typeof fields["title"] === "string") return { kind: "bead", bead: fields as Bead };
  return { kind: "bead", bead: { ...fields, title: "" } as Bead };
}

/** The text of a line, without the mark of byte order that a file may begin with. */
export function textOf(bytes: Buffer, { start, end }: Place): string {
  const text = bytes.toString("utf8", start, end);
  return start === 0 && text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function damage(text: string): string {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(text)) return "a merge conflict that git left";
  return "not a JSON object";
}

/** All lines from the first to the last. */
export function* eachLine(bytes: Buffer): Generator<Place> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    yield { start, end };
    start = end + 1;
  }
}

/** A bead with its place in the file. */
export interface PlacedBead extends Place {
  bead: Bead;
}

/**
 * The last line of this id: the newer one where there are several. Only lines that hold the id are parsed. Tombstones are
 * found too. Throws when a line of this very bead is damaged; damage elsewhere does not matter.
 */
export function findLine(bytes: Buffer, id: string): PlacedBead | undefined {
  const wanted = Buffer.from(JSON.stringify(id));
  for (let at = bytes.lastIndexOf(wanted); at >= 0;) {
    const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
    const found = bytes.indexOf(newline, at);
    const place = { start, end: found < 0 ? bytes.length : found };
    const line = readLine(bytes, place);
    if (line.kind === "bead" && line.bead.id === id) return { ...place, bead: line.bead };
    if (line.kind === "damaged" && firstId(textOf(bytes, place)) === id) throw damagedLine(bytes, start, line.reason);
    at = start === 0 ? -1 : bytes.lastIndexOf(wanted, start - 1);
  }
  return undefined;
}

function firstId(text: string): string | undefined {
  return /"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
}

/** Every id that a line has, deleted beads too. Cheap: most lines begin with their id, and need not be parsed. */
export function idsIn(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const idAtStart = /\{"id": ?"([^"\\\u007f-\u00ff]+)"/y;
  const ids = new Set<string>();
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    idAtStart.lastIndex = start;
    const id = idAtStart.exec(text)?.[1] ?? idOf(readLine(bytes, { start, end }));
    if (id !== undefined) ids.add(id);
    start = end + 1;
  }
  return [...ids];
}

function idOf(line: LineContent): string | undefined {
  return line.kind === "bead" ? line.bead.id : undefined;
}

export interface Unreadable {
  place: string;
  reason: string;
}

/** All beads in the order of the file, of several lines the last; deleted ones are left out. */
export function beadsIn(bytes: Buffer): { beads: Bead[]; unreadable: Unreadable[] } {
  const last = new Map<string, Bead>();
  const unreadable: Unreadable[] = [];
  let number = 0;
  for (const place of eachLine(bytes)) {
    number++;
    const line = readLine(bytes, place);
    if (line.kind === "damaged") unreadable.push({ place: `${shownFile}:${number}`, reason: line.reason });
    if (line.kind !== "bead") continue;
    last.delete(line.bead.id);
    last.set(line.bead.id, line.bead);
  }
  return { beads: [...last.values()].filter(({ status }) => status !== tombstone), unreadable };
}

/** The file with another text for some lines; every other byte stays. */
export function replaceLines(bytes: Buffer, lines: (Place & { text: string })[]): Buffer {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of lines.toSorted((a, b) => a.start - b.start)) {
    const hasMark = start === 0 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    parts.push(bytes.subarray(at, hasMark ? byteOrderMark.length : start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** The file with lines added, ended as its first line is; a last line without an end is given one. */
export function appendLines(bytes: Buffer, texts: string[]): Buffer {
  const first = bytes.indexOf(newline);
  const end = first > 0 && bytes[first - 1] === 0x0d ? "\r\n" : "\n";
  const missing = bytes.length > 0 && bytes.at(-1) !== newline ? end : "";
  return Buffer.concat([bytes, Buffer.from(missing + texts.map((text) => text + end).join(""))]);
}

const byteOrderMark = Buffer.from("\uFEFF");

/** Letters that are not UTF-8 could not be written back as they are. */
export function checkWritable(bytes: Buffer, { start, end }: Place): void {
  if (!isUtf8(bytes.subarray(start, end))) throw damagedLine(bytes, start, "not UTF-8");
}

function damagedLine(bytes: Buffer, start: number, reason: string): ClewError {
  let number = 1;
  for (let at = bytes.indexOf(newline); at >= 0 && at < start; at = bytes.indexOf(newline, at + 1)) number++;
  return new ClewError(
    "damaged_beads",
    `${shownFile}:${number}: ${reason}`,
    `mend or remove that line; git log -p -- ${shownFile} shows how it was`,
  );
}
