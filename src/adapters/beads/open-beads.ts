import { relative } from "node:path";
import type { BeadPlace, BeadStore } from "../../app/bead/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { beadFiles } from "./bead-files.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import { issuesFileAt, type IssuesFile } from "./issues-file.ts";
import { keeperCache } from "./keeper-cache.ts";
import { refuseUnwritable } from "./refuse-unwritable.ts";
import { beadPaths, rootPaths } from "../layout.ts";

export interface OpenParts {
  disk: Disk;
  /** The main checkout. */
  root: string;
  commonDir: string;
  locks: () => Promise<Locks>;
  /** The locks of whoever writes lines in this folder, which is not `.beads` of the repository. */
  locksAt: (folder: string) => Promise<Locks>;
  env: Record<string, string | undefined>;
  actor: string;
  /** Whether the user lets lines be written out of the repository. */
  mayWriteOutside: boolean;
  /** Throws when this file, below the root, is not to be made here. */
  refuseSparse: (path: string) => void;
}

/**
 * The beads of a repository: in the file itself, or behind the program whose database they belong to. Who keeps them is
 * looked at again and again, because somebody may have begun to use a program since.
 */
export async function openBeadStore(parts: OpenParts): Promise<BeadStore> {
  const { disk, root, commonDir, env } = parts;
  const keepers = keeperCache(root, env);
  const places = new Map<string, BeadPlace>();
  /** Databases whose program was looked for and is not there. */
  const missingPrograms = new Set<string>();
  const keyOf = ({ kind, folder }: BeadKeeper): string => `${kind} ${folder}`;

  /** One for each folder: whoever asks whether beads can be written has read what is then changed. */
  const issues = new Map<string, IssuesFile>();
  const issuesOf = (keeper: BeadKeeper): IssuesFile => {
    const file = issues.get(keeper.folder) ?? issuesFileAt(disk, { keeper, root, commonDir });
    issues.set(keeper.folder, file);
    return file;
  };

  const openFiles = (keeper: BeadKeeper): BeadPlace => {
    const { folder } = keeper;
    const key = `files ${folder}`;
    const cachedPlace = places.get(key);
    if (cachedPlace) return cachedPlace;
    let outsideLocks: Promise<Locks> | undefined;
    const locks = folder === rootPaths.beads(root) ? parts.locks : () => (outsideLocks ??= parts.locksAt(folder));
    const place = beadFiles({ disk, folder, locks, file: issuesOf(keeper) });
    places.set(key, place);
    return place;
  };

  /** Loaded where it is needed: most repositories have no program. What it has is read when it is first asked. */
  const openProgramPlace = async (keeper: BeadKeeper, mustRefresh: boolean): Promise<BeadPlace | undefined> => {
    const { kind } = keeper;
    if (kind === "native") return undefined;
    const { openProgram } = await import("./open-program.ts");
    const key = keyOf(keeper);
    const cachedPlace = places.get(key);
    const place = cachedPlace ?? openProgram(keeper, kind, parts);
    if (!place) {
      missingPrograms.add(key);
      return undefined;
    }
    places.set(key, place);
    if (mustRefresh || !cachedPlace) await place.refresh();
    return place;
  };

  const currentPlace = (): BeadPlace => {
    const keeper = keepers.current();
    if (keeper.kind === "native") return openFiles(keeper);
    const place = places.get(keyOf(keeper)) ?? (missingPrograms.has(keyOf(keeper)) ? openFiles(keeper) : undefined);
    if (place) return place;
    // The file beside a database that has just come is no source of anything.
    throw new ClewError(
      "not_available",
      `${keeper.displayPath}: ${keeper.kind} keeps the beads since a moment ago, and this process has not asked it for them`,
      `clew bead list asks it`,
    );
  };

  const withWriter = async <T>(work: (place: BeadPlace) => Promise<T>): Promise<T> => {
    const keeper = keepers.reload();
    const place = (await openProgramPlace(keeper, false)) ?? (await filesToWrite(keeper));
    try {
      return await work(place);
    } finally {
      changes++;
    }
  };

  const filesToWrite = async (keeper: BeadKeeper): Promise<BeadPlace> => {
    await refuseUnwritable(keeper, () => issuesOf(keeper), parts);
    if (!keeper.isOutside) parts.refuseSparse(relative(root, beadPaths.issues(keeper.folder)));
    return openFiles(keeper);
  };

  let changes = 0;
  const store: BeadStore = {
    get changes() {
      try {
        const keeper = keepers.current();
        return JSON.stringify([changes, keyOf(keeper), disk.stamp(beadPaths.issues(keeper.folder)) ?? "missing"]);
      } catch (error) {
        return (error as Error).message;
      }
    },
    get place() {
      return currentPlace().place;
    },
    find: (id) => currentPlace().find(id),
    around: (id) => currentPlace().around(id),
    ids: () => currentPlace().ids(),
    all: () => currentPlace().all(),
    deleted: () => currentPlace().deleted(),
    lines: () => currentPlace().lines(),
    refresh: async () => void (await openProgramPlace(keepers.reload(), true)),
    refuseUnwritable: async () => {
      const keeper = keepers.current();
      await refuseUnwritable(keeper, () => issuesOf(keeper), parts);
    },
    change: (...args) => withWriter((place) => place.change(...args)),
    add: (...args) => withWriter((place) => place.add(...args)),
    put: (...args) => withWriter((place) => place.put(...args)),
    remove: (...args) => withWriter((place) => place.remove(...args)),
    claim: (...args) => withWriter((place) => place.claim(...args)),
    giveBack: (...args) => withWriter((place) => place.giveBack(...args)),
  };
  // Whatever is wrong is told to whoever reads: others need no beads.
  await store.refresh().catch(() => undefined);
  return store;
}
