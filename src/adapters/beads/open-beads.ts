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
  refuseLeftOut: (path: string) => void;
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
  const lacking = new Set<string>();
  const keyOf = ({ kind, folder }: BeadKeeper): string => `${kind} ${folder}`;

  /** One for each folder: whoever asks whether beads can be written has read what is then changed. */
  const issues = new Map<string, IssuesFile>();
  const issuesOf = (keeper: BeadKeeper): IssuesFile => {
    const file = issues.get(keeper.folder) ?? issuesFileAt(disk, { keeper, root, commonDir });
    issues.set(keeper.folder, file);
    return file;
  };

  const files = (keeper: BeadKeeper): BeadPlace => {
    const { folder } = keeper;
    const key = `files ${folder}`;
    const known = places.get(key);
    if (known) return known;
    let elsewhere: Promise<Locks> | undefined;
    const locks = folder === rootPaths.beads(root) ? parts.locks : () => (elsewhere ??= parts.locksAt(folder));
    const place = beadFiles({ disk, folder, locks, file: issuesOf(keeper) });
    places.set(key, place);
    return place;
  };

  /** Loaded where it is needed: most repositories have no program. What it has is read when it is first asked. */
  const program = async (keeper: BeadKeeper, isAnew: boolean): Promise<BeadPlace | undefined> => {
    const { kind } = keeper;
    if (kind === "native") return undefined;
    const { openProgram } = await import("./open-program.ts");
    const key = keyOf(keeper);
    const known = places.get(key);
    const place = known ?? openProgram(keeper, kind, parts);
    if (!place) {
      lacking.add(key);
      return undefined;
    }
    places.set(key, place);
    if (isAnew || !known) await place.refresh();
    return place;
  };

  const reader = (): BeadPlace => {
    const keeper = keepers.now();
    if (keeper.kind === "native") return files(keeper);
    const place = places.get(keyOf(keeper)) ?? (lacking.has(keyOf(keeper)) ? files(keeper) : undefined);
    if (place) return place;
    // The file beside a database that has just come is no source of anything.
    throw new ClewError(
      "not_available",
      `${keeper.shown}: ${keeper.kind} keeps the beads since a moment ago, and this process has not asked it for them`,
      `clew bead list asks it`,
    );
  };

  const writing = async <T>(work: (place: BeadPlace) => Promise<T>): Promise<T> => {
    const keeper = keepers.anew();
    const place = (await program(keeper, false)) ?? (await filesToWrite(keeper));
    try {
      return await work(place);
    } finally {
      changes++;
    }
  };

  const filesToWrite = async (keeper: BeadKeeper): Promise<BeadPlace> => {
    await refuseUnwritable(keeper, () => issuesOf(keeper), parts);
    if (!keeper.isOutside) parts.refuseLeftOut(relative(root, beadPaths.issues(keeper.folder)));
    return files(keeper);
  };

  let changes = 0;
  const store: BeadStore = {
    get changes() {
      try {
        const keeper = keepers.now();
        return JSON.stringify([changes, keyOf(keeper), disk.stamp(beadPaths.issues(keeper.folder)) ?? "missing"]);
      } catch (error) {
        return (error as Error).message;
      }
    },
    get place() {
      return reader().place;
    },
    find: (id) => reader().find(id),
    around: (id) => reader().around(id),
    ids: () => reader().ids(),
    all: () => reader().all(),
    deleted: () => reader().deleted(),
    lines: () => reader().lines(),
    refresh: async () => void (await program(keepers.anew(), true)),
    refuseUnwritable: async () => {
      const keeper = keepers.now();
      await refuseUnwritable(keeper, () => issuesOf(keeper), parts);
    },
    change: (...asked) => writing((place) => place.change(...asked)),
    add: (...asked) => writing((place) => place.add(...asked)),
    put: (...asked) => writing((place) => place.put(...asked)),
    remove: (...asked) => writing((place) => place.remove(...asked)),
    claim: (...asked) => writing((place) => place.claim(...asked)),
    giveBack: (...asked) => writing((place) => place.giveBack(...asked)),
  };
  // Whatever is wrong is told to whoever reads: others need no beads.
  await store.refresh().catch(() => undefined);
  return store;
}
