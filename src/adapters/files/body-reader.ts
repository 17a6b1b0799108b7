import type { BodyPlace, SessionRecords } from "../../app/session/ports.ts";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import { type Disk, pathExists } from "./disk.ts";
import { paths, type Layout } from "../layout.ts";
import { unknownSession } from "./recover.ts";
import type { RecordReader } from "./record-reader.ts";

/** Frontmatter is nearly always within these many bytes. */
const headLimit = 16 * 1024;
/** How often a part is read again because the file was replaced meanwhile. */
const maxRetries = 3;

/** Reads parts of bodies without the rest, for the search. */
export function bodyReader(
  disk: Disk,
  layout: Layout,
  reader: RecordReader,
): Pick<SessionRecords, "bodyPlace" | "readBody"> {
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
      // Places in the text are places in the file only while the file has all of the text, with plain line ends.
      if (reader.trustedState(id) || !pathExists(disk, paths.live(layout, id))) {
        const { crlf, ...place } = placeInFile(id);
        if (!crlf) return place;
      }
      const { text, bodyStart } = await reader.read(id);
      const held = Buffer.from(text.slice(bodyStart));
      return { bytes: 0, lines: linesIn(text.slice(0, bodyStart)), file: "", text: held };
    },

    readBody(id, bodyPlace, start, end) {
      if (bodyPlace.text) return bodyPlace.text.toString("utf8", start, end);
      const path = paths.record(layout, id);
      let place = bodyPlace;
      for (let retries = 0; ; retries++) {
        const to = end === undefined ? (disk.stamp(path)?.size ?? 0) : place.bytes + end;
        const text = disk.readRange(path, place.bytes + start, to).toString("utf8");
        if (retries === maxRetries || stampName(id) === place.file) return text;
        // Each save point of a small session replaces its file, and the body may begin elsewhere in the new one.
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
