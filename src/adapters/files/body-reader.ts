import type { BodyPlace, SessionRecords } from "../../app/session/ports.ts";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import type { Disk } from "./disk.ts";
import { pathExists } from "./is-there.ts";
import { paths, type Layout } from "../layout.ts";
import { unknownSession } from "./recover.ts";
import type { RecordReader } from "./record-reader.ts";

/** Frontmatter is nearly always within these many bytes. */
const headLimit = 16 * 1024;
/** How often a part is read again because the file was written anew meanwhile. */
const readTries = 3;

interface Parts {
  disk: Disk;
  layout: Layout;
  reader: Pick<RecordReader, "trustedState" | "readFile" | "read">;
}

/** Reads parts of bodies without the rest: what the search asks for. */
export function bodyReader({ disk, layout, reader }: Parts): Pick<SessionRecords, "bodyPlace" | "readBody"> {
  const stampName = (id: string): string | undefined => {
    const stamp = disk.stamp(paths.record(layout, id));
    return stamp && `${stamp.ino}-${stamp.size}-${stamp.mtimeNs}`;
  };

  function placeInFile(id: string): BodyPlace & { crlf: boolean } {
    const path = paths.record(layout, id);
    const state = reader.trustedState(id);
    const file = stampName(id);
    if (file === undefined || !pathExists(disk, path)) throw unknownSession(id);
    const head = disk.readRange(path, 0, state?.headBytes ?? headLimit).toString("utf8");
    const whole = head.includes("\n---") ? head : (reader.readFile(id)?.toString("utf8") ?? "");
    const block = readBlock(whole);
    const lines = linesIn(whole.slice(0, block.length));
    return { bytes: block.bytes, lines, file, crlf: state?.crlf ?? whole.includes("\r\n") };
  }

  return {
    async bodyPlace(id) {
      // A place in the text is that place in the file while all of it stands there, with plain line ends.
      if (reader.trustedState(id) || !pathExists(disk, paths.live(layout, id))) {
        const { crlf, ...place } = placeInFile(id);
        if (!crlf) return place;
      }
      const { text, bodyStart } = await reader.read(id);
      const held = Buffer.from(text.slice(bodyStart));
      return { bytes: 0, lines: linesIn(text.slice(0, bodyStart)), file: "", held };
    },

    readBody(id, bodyPlace, start, end) {
      if (bodyPlace.held) return bodyPlace.held.toString("utf8", start, end);
      const path = paths.record(layout, id);
      let place = bodyPlace;
      for (let left = readTries; ; left--) {
        const to = end === undefined ? (disk.stamp(path)?.size ?? 0) : place.bytes + end;
        const text = disk.readRange(path, place.bytes + start, to).toString("utf8");
        if (left === 0 || stampName(id) === place.file) return text;
        // Each save point of a small session makes another file of it, in which the body may begin elsewhere.
        const { bytes } = place;
        place = placeInFile(id);
        if (place.bytes === bytes) return text;
      }
    },
  };
}

function linesIn(head: string): number {
  return head.split("\n").length - 1;
}
