import { statSync, watch, type FSWatcher } from "node:fs";
import type { JournalWatch } from "../../app/run/event-tail.ts";
import type { Disk } from "../files/disk.ts";
import { ifPossible } from "../files/failure.ts";
import { runPaths, type RunFolders } from "../layout/run-paths.ts";

/** Where the system tells of no changes, all journals are looked at so often. */
const pollMs = 500;

/** Watches the folder of all journals. Where it cannot be watched, every journal counts as changed, again and again. */
export function watchJournals(disk: Disk, { journals }: Pick<RunFolders, "journals">): JournalWatch {
  const changed = new Set<string>();
  let wake = (): void => undefined;
  let watched: { watcher: FSWatcher; inode: number } | undefined;
  const close = (): void => {
    watched?.watcher.close();
    watched = undefined;
  };
  const markAll = (): void => {
    for (const name of disk.list(journals)) markChanged(name);
  };
  const markChanged = (name: string): void => {
    const id = runPaths.idOfJournal(name);
    if (id !== undefined) changed.add(id);
  };
  const onChange = (_: string, name: string | null): void => {
    if (name === null) markAll();
    else markChanged(name);
    wake();
  };
  /** A folder that was removed and made again is another one. */
  const watchFolder = (): void => {
    const inode = statSync(journals, { throwIfNoEntry: false })?.ino;
    if (watched && watched.inode === inode) return;
    const isFirst = watched === undefined;
    close();
    // There may be too many watches, perhaps.
    ifPossible(() => {
      disk.makeFolder(journals);
      const watcher = watch(journals, { persistent: false }, onChange).on("error", () => (close(), wake()));
      watched = { watcher, inode: statSync(journals).ino };
    });
    if (!isFirst) markAll();
  };
  watchFolder();
  return {
    take() {
      watchFolder();
      if (!watched) markAll();
      const ids = [...changed];
      changed.clear();
      return ids;
    },
    async wait(ms, signal) {
      if (changed.size > 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => wake(), watched ? ms : Math.min(ms, pollMs));
        wake = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
          wake = () => undefined;
          resolve();
        };
        signal.addEventListener("abort", wake, { once: true });
      });
    },
    close,
  };
}
