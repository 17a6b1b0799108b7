import { watch, type FSWatcher } from "node:fs";
import type { JournalWatch } from "../../app/run/event-hub.ts";
import type { Disk } from "../files/disk.ts";
import { runPaths, type RunFolders } from "../layout/run-paths.ts";

/** Where the system tells of no changes, all journals are looked at so often. */
const pollMs = 500;

/** Watches the folder of all journals. Where it cannot be watched, every journal counts as changed, again and again. */
export function watchJournals(disk: Disk, folders: Pick<RunFolders, "journals">): JournalWatch {
  const changed = new Set<string>();
  let wake = (): void => undefined;
  let watcher: FSWatcher | undefined;
  const giveUp = (): void => {
    watcher?.close();
    watcher = undefined;
    wake();
  };
  const allIds = (): string[] => disk.list(folders.journals).flatMap((name) => runPaths.idOfJournal(name) ?? []);
  const onChange = (_: string, name: string | null): void => {
    const id = name === null ? undefined : runPaths.idOfJournal(name);
    if (name === null) for (const each of allIds()) changed.add(each);
    if (id !== undefined) changed.add(id);
    wake();
  };
  try {
    disk.makeFolder(folders.journals);
    watcher = watch(folders.journals, { persistent: false }, onChange).on("error", giveUp);
  } catch {
    // Too many watches, perhaps.
  }
  return {
    take() {
      const ids = watcher ? [...changed] : allIds();
      changed.clear();
      return ids;
    },
    async wait(ms, signal) {
      if (changed.size > 0 || signal.aborted) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, watcher ? ms : Math.min(ms, pollMs));
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      clearTimeout(timer);
      wake = () => undefined;
    },
    close: () => watcher?.close(),
  };
}
