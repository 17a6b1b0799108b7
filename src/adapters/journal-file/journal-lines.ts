import { ClewError } from "../../contract/errors.ts";
import { journalLine, type JournalLine } from "../../contract/run-journal.ts";
import type { Disk } from "../files/disk.ts";

const newline = 0x0a;
const chunkBytes = 1024 * 1024;

/** What closes a line that a crash cut short. No JSON ends in it, so that such a line is never taken for a whole one. */
export const tornMark = " ~torn~";

/** A line as it stands in the file. */
export interface RawLine {
  text: string;
  /** Counted from 1. */
  number: number;
  /** Bytes before it. */
  offset: number;
  bytes: number;
}

/** All whole lines from `start` on, but for those that were cut short. A last line without its end is left out. */
export function* rawLines(disk: Disk, path: string, start = 0): Generator<RawLine> {
  const size = disk.stamp(path)?.size ?? 0;
  let rest: Buffer = Buffer.alloc(0);
  let offset = start;
  let number = 0;
  for (let at = start; at < size;) {
    const chunk = disk.readRange(path, at, Math.min(at + chunkBytes, size));
    if (chunk.length === 0) return;
    at += chunk.length;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      const text = bytes.toString("utf8", from, end);
      number++;
      if (!text.endsWith(tornMark)) yield { text, number, offset, bytes: end + 1 - from };
      offset += end + 1 - from;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}

/** Undefined for a line of a kind that this version does not know. Throws on what is no line of a journal at all. */
export function parseLine({ text, number }: RawLine, path: string): JournalLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw poisoned(path, number, "is not JSON", error);
  }
  const parsed = journalLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== "string") throw poisoned(path, number, "has no type", parsed.error);
  if (!knownTypes.has(type)) return undefined;
  const { path: place, message } = parsed.error.issues[0]!;
  throw poisoned(path, number, `is no ${type}: ${place.join(".")}: ${message}`, parsed.error);
}

const knownTypes = new Set(journalLine.def.options.map(({ shape }) => shape.type.def.values[0] as string));

/** The type of a line without reading it: it always comes first. */
export function typeOf(text: string): string {
  const start = '{"type":"';
  return text.startsWith(start) ? text.slice(start.length, text.indexOf('"', start.length)) : "";
}

function poisoned(path: string, number: number, why: string, cause: unknown): ClewError {
  return new ClewError(
    "damaged_run",
    `${path}:${number}: this line of the run's journal ${why}`,
    "nothing was changed; mend that line by hand, or give the run up: clew run cancel, or remove its journal",
    { cause },
  );
}
