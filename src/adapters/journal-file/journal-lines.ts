import { ClewError } from "../../contract/errors.ts";
import { journalLine, type JournalLine } from "../../contract/run-journal.ts";
import type { Disk } from "../files/disk.ts";
import { limits, sizeInWords } from "../files/limits.ts";

const newline = 0x0a;
const chunkBytes = 1024 * 1024;

/** Closes a line that a crash cut short. No JSON ends in it, so that such a line is never taken for a whole one. */
export const tornMark = " ~torn~";

/** A line as it stands in the file. */
export interface RawLine {
  text: string;
  /** Bytes before it. */
  offset: number;
  bytes: number;
}

/** All whole lines from `start` on, without those that were cut short and without an unfinished last line. */
export function* rawLines(disk: Disk, path: string, start = 0): Generator<RawLine> {
  const size = disk.stamp(path)?.size ?? 0;
  /** The beginning of a line that goes over several chunks. */
  let pieces: Buffer[] = [];
  let offset = start;
  for (let at = start; at < size;) {
    const chunk = disk.readRange(path, at, Math.min(at + chunkBytes, size));
    if (chunk.length === 0) return;
    at += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const line =
        pieces.length === 0 ? chunk.subarray(from, end) : Buffer.concat([...pieces, chunk.subarray(from, end)]);
      pieces = [];
      const text = line.toString("utf8");
      if (!text.endsWith(tornMark)) yield { text, offset, bytes: line.length + 1 };
      offset += line.length + 1;
      from = end + 1;
    }
    pieces.push(chunk.subarray(from));
    if (at - offset > limits.journalLine) {
      throw damagedLine(disk, path, offset, `is longer than ${sizeInWords(limits.journalLine)}`, undefined);
    }
  }
}

/** Undefined for a line of a type that this version does not know. Throws for anything else that is no journal line. */
export function parseLine({ text, offset }: RawLine, disk: Disk, path: string): JournalLine | undefined {
  const damaged = (why: string, cause: unknown): ClewError => damagedLine(disk, path, offset, why, cause);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged("is not JSON", error);
  }
  const parsed = journalLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== "string") throw damaged("has no type", parsed.error);
  if (!knownTypes.has(type)) return undefined;
  const { path: place, message } = parsed.error.issues[0]!;
  throw damaged(`is no ${type}: ${place.join(".")}: ${message}`, parsed.error);
}

const knownTypes = new Set(journalLine.def.options.map(({ shape }) => shape.type.def.values[0] as string));

export function isKnownType(type: string): boolean {
  return knownTypes.has(type);
}

/** The type of a line, without parsing it: it always comes first. Empty when the text does not begin like a line. */
export function lineTypeIn(text: string): string {
  const start = '{"type":"';
  return text.startsWith(start) ? text.slice(start.length, text.indexOf('"', start.length)) : "";
}

export function damagedLine(disk: Disk, path: string, offset: number, why: string, cause: unknown): ClewError {
  const before = disk.readRange(path, 0, offset);
  const number = before.reduce((count, byte) => (byte === newline ? count + 1 : count), 1);
  return new ClewError(
    "damaged_run",
    `${path}:${number}: this line of the run's journal ${why}`,
    "the run stays as it is; mend that line by hand, or move the file away to give the run up",
    { cause },
  );
}
