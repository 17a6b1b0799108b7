import { readWorktreeNote, type WorktreeNote } from "../../../contract/worktree.ts";
import { nodeDisk } from "../../files/node-disk.ts";
import { worktreeNotePath } from "../../layout/worktree-paths.ts";

export function readNote(gitFolder: string): WorktreeNote | undefined {
  const text = nodeDisk.read(worktreeNotePath(gitFolder))?.toString("utf8");
  return text === undefined ? undefined : readWorktreeNote(text);
}

/** On disk when this returns. */
export function writeNote(gitFolder: string, note: WorktreeNote): void {
  nodeDisk.replace(worktreeNotePath(gitFolder), Buffer.from(`${JSON.stringify(note)}\n`));
}
