import type { BodyPlace, SessionRecords } from "../../app/ports.ts";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import type { Disk } from "./disk.ts";
import { isThere } from "./is-there.ts";
import { paths, type Layout } from "./layout.ts";
import { unknownSession } from "./recover.ts";
import type { RecordState } from "./record-state.ts";

/** Frontmatter is nearly always within these many bytes. */
const headLimit = 16 * 1024;
/** How often a part is read again because the file was written anew meanwhile. */
const readTries = 3;

interface Parts {
  disk: Disk;
  layout: Layout;
  /** The state of the last writer, if nobody touched the files since. */
  trustedState: (id: string) => RecordState | undefined;
  /** All of session.md; undefined when it is missing. */
  readFile: (id: string) => Buffer | undefined;
}

/** Reads parts of bodies without the rest: what the search asks for. */
export function bodyReader({
  disk,
  layout,
  trustedState,
  readFile,
}: Parts): Pick<SessionRecords, "bodyPlace" | "readBody"> {
  function bodyPlace(id: string): BodyPlace {
    const path = paths.record(layout, id);
    const state = trustedState(id);
    const file = disk.stamp(path)?.ino;
    if (file === undefined || !isThere(disk, path)) throw unknownSession(id);
    const head = disk.readRange(path, 0, state?.headBytes ?? headLimit).toString("utf8");
    const whole = head.includes("\n---") ? head : (readFile(id)?.toString("utf8") ?? "");
    const block = readBlock(whole);
    const lines = whole.slice(0, block.length).split("\n").length - 1;
    return { bytes: block.bytes, lines, crlf: state?.crlf ?? whole.includes("\r\n"), file };
  }

  function readPart(id: string, place: BodyPlace, start: number, end: number | undefined): string {
    const path = paths.record(layout, id);
    if (!place.crlf) {
      const to = end === undefined ? (disk.stamp(path)?.size ?? 0) : place.bytes + end;
      return disk.readRange(path, place.bytes + start, to).toString("utf8");
    }
    const body = normaliseLineEnds(readFile(id)?.toString("utf8", place.bytes) ?? "");
    return Buffer.from(body).toString("utf8", start, end);
  }

  return {
    bodyPlace,

    readBody(id, known, start, end) {
      let place = known;
      for (let left = readTries; ; left--) {
        const text = readPart(id, place, start, end);
        // Each save point of a small session makes another file of it, in which the body may begin elsewhere.
        if (left === 0 || disk.stamp(paths.record(layout, id))?.ino === place.file) return text;
        place = bodyPlace(id);
      }
    },
  };
}
