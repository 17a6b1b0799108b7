import { statSync, watch, type FSWatcher } from "node:fs";
import type { Changes } from "../../app/daemon/process-ports.ts";
import { makeFolderIn } from "./make-folder-in.ts";

/** Told of by the system, so that waiting costs nothing. Where it cannot tell, nothing ever changes: every look brings the index up to date by itself. */
export function folderChanges(folders: readonly string[]): Changes {
  const watchers = new Map<string, { watcher: FSWatcher; inode: bigint }>();
  let hasChanged = false;
  let wake = (): void => undefined;
  const onChange = (): void => {
    hasChanged = true;
    wake();
  };
  const close = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  /** A folder that was removed and made again is another one. */
  const watchFolder = (folder: string): void => {
    try {
      makeFolderIn(folder);
      const inode = statSync(folder, { bigint: true }).ino;
      if (watchers.get(folder)?.inode === inode) return;
      close(folder);
      const watcher = watch(folder, { persistent: false }, onChange).on("error", () => close(folder));
      watchers.set(folder, { watcher, inode });
    } catch {
      close(folder);
    }
  };
  return {
    async next(signal) {
      for (const folder of folders) watchFolder(folder);
      if (!hasChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
      hasChanged = false;
    },
    close() {
      for (const folder of watchers.keys()) close(folder);
    },
  };
}
