import { statSync, watch, type FSWatcher } from "node:fs";
import type { Changes } from "../../app/daemon/process-ports.ts";
import { makeFolderIn } from "./make-folder-in.ts";

interface Watched {
  /** Folders of Clew's, which are made where they are missing. */
  own: readonly string[];
  /** Other folders. One that is missing is watched as soon as it is there at the next wait. */
  others?: readonly string[];
}

/** Changes in some folders, but not below them. The system tells of them, so that waiting costs nothing. */
export function folderChanges({ own, others = [] }: Watched): Changes {
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
      const inode = statSync(folder, { bigint: true }).ino;
      if (watchers.get(folder)?.inode === inode) return;
      close(folder);
      const watcher = watch(folder, { persistent: false }, onChange).on("error", () => close(folder));
      watchers.set(folder, { watcher, inode });
    } catch {
      close(folder);
    }
  };
  const watchAll = (): void => {
    for (const folder of own) {
      try {
        makeFolderIn(folder);
      } catch {
        // It is not watched, and the next wait tries again.
      }
    }
    for (const folder of [...own, ...others]) watchFolder(folder);
  };
  return {
    get isWatched() {
      return own.every((folder) => watchers.has(folder));
    },
    async next(signal, ms) {
      watchAll();
      if (!hasChanged && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const timer = ms === undefined ? undefined : setTimeout(() => wake(), ms);
          wake = () => {
            wake = () => undefined;
            clearTimeout(timer);
            signal?.removeEventListener("abort", wake);
            resolve();
          };
          signal?.addEventListener("abort", wake, { once: true });
        });
      }
      hasChanged = false;
    },
    close() {
      for (const folder of watchers.keys()) close(folder);
    },
  };
}
