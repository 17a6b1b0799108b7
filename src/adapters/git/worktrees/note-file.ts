import { join } from "node:path";
import { readWorktreeNote, type WorktreeNote } from "../../../contract/worktree.ts";
import { nodeDisk } from "../../files/node-disk.ts";

export function readNote(gitFolder: string): WorktreeNote | undefined {
  const text = nodeDisk.read(join(gitFolder, "clew.json"))?.toString("utf8");
  return text === undefined ? undefined : readWorktreeNote(text);
}

/** On disk when this returns. */
export function writeNote(gitFolder: string, note: WorktreeNote): void {
  nodeDisk.replace(join(gitFolder, "clew.json"), Buffer.from(`${JSON.stringify(note)}\n`));
}
