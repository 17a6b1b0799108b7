import { encodeLiveLine, type Live } from "../../session/write-ahead-copy.ts";
import type { Disk, FileStamp } from "./disk.ts";
import { paths, type Layout } from "../layout.ts";

/** Where a session's text is mended. Each change returns the new stamp of the file. */
export interface RecordFile {
  make(bytes: Buffer): FileStamp;
  append(bytes: Buffer, stamp: FileStamp): FileStamp;
  replace(bytes: Buffer, stamp: FileStamp): FileStamp;
  overwrite(head: Buffer, stamp: FileStamp): FileStamp;
  /** Notes in the copy that the file ended in the middle of a line, at this size. */
  close(size: number): void;
}

/** For writers: session.md itself. The caller holds the session's lock. */
export function recordOnDisk(disk: Disk, layout: Layout, id: string, live: Live): RecordFile {
  const file = paths.record(layout, id);
  return {
    make(bytes) {
      disk.makeFolder(paths.session(layout, id));
      return disk.replace(file, bytes);
    },
    append: (bytes, stamp) => disk.append(file, bytes, undefined, stamp),
    replace: (bytes, stamp) => disk.replace(file, bytes, undefined, stamp),
    overwrite: (head, stamp) => disk.overwrite(file, head, stamp),
    close(size) {
      if (!live.base) return;
      disk.append(paths.live(layout, id), Buffer.from(encodeLiveLine({ n: ++live.lastN, closed: size })));
    },
  };
}

/** Closes a line of the copy that a crash tore, so that the next line does not become part of it. */
export function closeTornLine(disk: Disk, layout: Layout, id: string, live: Live): void {
  if (!live.torn) return;
  live.lastN++;
  disk.append(paths.live(layout, id), Buffer.from(`\n${encodeLiveLine({ n: live.lastN, torn: true })}`));
}

/** For readers: nothing is written, and the file stays as git, an editor or a crash left it. */
export class RecordInMemory implements RecordFile {
  /** Whether the file lacks something. */
  isBehind = false;

  make(): FileStamp {
    return this.append(undefined, { ino: "", size: 0, mtimeNs: "0" });
  }

  readonly append = (_bytes: unknown, stamp: FileStamp): FileStamp => {
    this.isBehind = true;
    return stamp;
  };
  readonly replace = this.append;
  readonly overwrite = this.append;

  close(): void {
    this.isBehind = true;
  }
}
