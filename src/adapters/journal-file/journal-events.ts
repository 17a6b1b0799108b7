import type { EventPlace, JournalEnd } from "../../app/run/ports.ts";
import type { Disk } from "../files/disk.ts";
import { damagedLine, lineTypeIn, rawLines } from "./journal-lines.ts";

/** The last event mostly stands within the first; only a run whose agent says much needs more. */
const tailBytes = [4 * 1024, 64 * 1024];
const newline = 0x0a;

/** The number of a line, without parsing it. */
export function eventNumberIn(text: string): number | undefined {
  const digits = /^\{"type":"[^"]*","n":(\d+),/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What a journal has come to, from its last bytes where they tell. */
export function journalEnd(disk: Disk, path: string): JournalEnd {
  const size = disk.stamp(path)?.size ?? 0;
  for (const bytes of tailBytes) {
    if (size <= bytes) break;
    const start = size - bytes;
    const lineEnd = disk.readRange(path, start, size).indexOf(newline);
    const found = lineEnd < 0 ? undefined : endFrom(disk, path, start + lineEnd + 1);
    if (found && found.n > 0) return found;
  }
  return endFrom(disk, path, 0);
}

function endFrom(disk: Disk, path: string, from: number): JournalEnd {
  const found = { n: 0, end: from, isOver: false };
  for (const { text, offset, bytes } of rawLines(disk, path, from)) {
    found.end = offset + bytes;
    const n = eventNumberIn(text);
    if (n === undefined) continue;
    found.n = n;
    found.isOver = ["workflow.completed", "workflow.cancelled"].includes(lineTypeIn(text));
  }
  return found;
}

/** Where the events after a number stand. Parses none; throws at a line that does not begin like one. */
export function* eventPlaces(disk: Disk, path: string, after: number): Generator<EventPlace> {
  for (const { text, offset, bytes } of rawLines(disk, path)) {
    if (lineTypeIn(text) === "") throw damagedLine(disk, path, offset, "has no type", undefined);
    const n = eventNumberIn(text);
    if (n !== undefined && n > after) yield { n, place: { offset, bytes } };
  }
}
