import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BeadReader } from "../../app/definitions-port.ts";
import { tombstone } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { findLine, idsIn, shownFile } from "./bead-lines.ts";

/** `.beads/issues.jsonl` of the main checkout. */
export interface IssuesFile {
  /** Where its bytes really stand: somebody may have put a link there. */
  path(): string;
  /** All of it; nothing when it is missing. */
  read(): Buffer;
}

export function issuesFileAt(disk: Disk, root: string): IssuesFile {
  const file = join(root, ".beads", "issues.jsonl");
  return {
    path: () => (statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file),
    read() {
      const stats = statSync(file, { throwIfNoEntry: false });
      // Reading a pipe would wait for ever.
      if (stats && !stats.isFile()) {
        throw new ClewError("damaged_beads", `${shownFile} is not a file`, "beads stand there, one a line");
      }
      return (stats && disk.read(file)) ?? Buffer.alloc(0);
    },
  };
}

/** Reads beads, unchanged. Only lines that could be the one asked for are parsed. */
export function issuesFile(disk: Disk, root: string): BeadReader {
  const file = issuesFileAt(disk, root);
  return {
    find(id) {
      const bead = findLine(file.read(), id)?.bead;
      return bead?.status === tombstone ? undefined : bead;
    },
    ids: () => idsIn(file.read()),
  };
}
