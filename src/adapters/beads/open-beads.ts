import { relative } from "node:path";
import type { BeadPlace, BeadStore } from "../../app/bead/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { beadFiles } from "./bead-files.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import { issuesFileAt, type IssuesFile } from "./issues-file.ts";
import { keeperCache, type KeeperCache } from "./keeper-cache.ts";
import { refuseUnwritable } from "./refuse-unwritable.ts";
import { rootPaths } from "../layout.ts";
import { beadPaths } from "../layout/bead-paths.ts";

interface OpenParts {
  disk: Disk;
  /** The main checkout. */
  root: string;
  commonDir: string;
  locks: () => Promise<Locks>;
  /** The locks for writers of a folder that is not `.beads` of the repository. */
  locksAt: (folder: string) => Promise<Locks>;
  env: Record<string, string | undefined>;
  /** Undefined when it is unknown. */
  actor: string | undefined;
}

interface WriteRules {
  /** Whether the user allows lines to be written outside the repository. */
  mayWriteOutside: boolean;
  /** Throws when a sparse checkout leaves out this file, a path below the root. */
  refuseSparse: (path: string) => void;
}

/**
 * The beads of a repository: in the file itself, or behind the program whose database they belong to. Who keeps them is
 * checked at every call, because the user may have begun to use a program since.
 */
export async function openBeadStore(parts: OpenParts, rules: WriteRules): Promise<BeadStore> {
  const keepers = keeperCache(parts.root, parts.env);
  const places = new BeadPlaces(parts, rules, keepers);
  let changes = 0;
  const withWriter = async <T>(work: (place: BeadPlace) => Promise<T>): Promise<T> => {
    const place = await places.openToWrite();
    try {
      return await work(place);
    } finally {
      changes++;
    }
  };
  const store: BeadStore = {
    get changes() {
      try {
        const keeper = keepers.current();
        const stamp = parts.disk.stamp(beadPaths.issues(keeper.folder));
        return JSON.stringify([changes, keyOf(keeper), stamp ?? "missing"]);
      } catch (error) {
        return (error as Error).message;
      }
    },
    get place() {
      return places.current().place;
    },
    find: (id) => places.current().find(id),
    around: (id) => places.current().around(id),
    ids: () => places.current().ids(),
    all: () => places.current().all(),
    deleted: () => places.current().deleted(),
    lines: () => places.current().lines(),
    refresh: async () => void (await places.openProgram(keepers.reload(), true)),
    refuseUnwritable: async () => places.refuseUnwritable(keepers.current()),
    change: (...args) => withWriter((place) => place.change(...args)),
    add: (...args) => withWriter((place) => place.add(...args)),
    put: (...args) => withWriter((place) => place.put(...args)),
    remove: (...args) => withWriter((place) => place.remove(...args)),
    claim: (...args) => withWriter((place) => place.claim(...args)),
    giveBack: (...args) => withWriter((place) => place.giveBack(...args)),
  };
  // Readers get the error when they ask; commands that need no beads go on.
  await store.refresh().catch(() => undefined);
  return store;
}

const keyOf = ({ kind, folder }: BeadKeeper): string => `${kind} ${folder}`;

/** The places of beads that a process has opened, by the program that keeps them. */
class BeadPlaces {
  readonly #parts: OpenParts;
  readonly #rules: WriteRules;
  readonly #keepers: KeeperCache;
  readonly #places = new Map<string, BeadPlace>();
  /** Databases whose program was looked for and is not installed. */
  readonly #missingPrograms = new Set<string>();
  /** One for each folder: what was read to check whether beads can be written is what is changed then. */
  readonly #issues = new Map<string, IssuesFile>();

  constructor(parts: OpenParts, rules: WriteRules, keepers: KeeperCache) {
    this.#parts = parts;
    this.#rules = rules;
    this.#keepers = keepers;
  }

  /** Where beads are read. Throws when a program keeps them and was not asked yet. */
  current(): BeadPlace {
    const keeper = this.#keepers.current();
    const key = keyOf(keeper);
    if (keeper.kind === "native") return this.#openFiles(keeper);
    const place = this.#places.get(key) ?? (this.#missingPrograms.has(key) ? this.#openFiles(keeper) : undefined);
    if (place) return place;
    // The file beside a database that has just come is no source of anything.
    throw new ClewError(
      "not_available",
      `${keeper.displayPath}: ${keeper.kind} keeps the beads since a moment ago, and this process has not asked it for them`,
      `clew bead list asks it`,
    );
  }

  /** Throws when beads cannot be written. */
  async openToWrite(): Promise<BeadPlace> {
    const keeper = this.#keepers.reload();
    const program = await this.openProgram(keeper, false);
    if (program) return program;
    await this.refuseUnwritable(keeper);
    const file = relative(this.#parts.root, beadPaths.issues(keeper.folder));
    if (!keeper.isOutside) this.#rules.refuseSparse(file);
    return this.#openFiles(keeper);
  }

  refuseUnwritable(keeper: BeadKeeper): Promise<void> {
    return refuseUnwritable(keeper, () => this.#issuesOf(keeper), { ...this.#parts, ...this.#rules });
  }

  /** Undefined without a program. Its module is loaded here, because most repositories have none. */
  async openProgram(keeper: BeadKeeper, mustRefresh: boolean): Promise<BeadPlace | undefined> {
    const { kind } = keeper;
    if (kind === "native") return undefined;
    const { openProgram } = await import("./open-program.ts");
    const key = keyOf(keeper);
    const cachedPlace = this.#places.get(key);
    const place = cachedPlace ?? openProgram(keeper, kind, this.#parts);
    if (!place) {
      this.#missingPrograms.add(key);
      return undefined;
    }
    this.#places.set(key, place);
    if (mustRefresh || !cachedPlace) await place.refresh();
    return place;
  }

  #openFiles(keeper: BeadKeeper): BeadPlace {
    const { disk, root, locks, locksAt } = this.#parts;
    const { folder } = keeper;
    const key = `files ${folder}`;
    let place = this.#places.get(key);
    if (place) return place;
    let otherLocks: Promise<Locks> | undefined;
    const isOwn = folder === rootPaths.beads(root);
    const folderLocks = isOwn ? locks : (): Promise<Locks> => (otherLocks ??= locksAt(folder));
    place = beadFiles({ disk, folder, locks: folderLocks, file: this.#issuesOf(keeper) });
    this.#places.set(key, place);
    return place;
  }

  #issuesOf(keeper: BeadKeeper): IssuesFile {
    const { disk, root, commonDir } = this.#parts;
    const file = this.#issues.get(keeper.folder) ?? issuesFileAt(disk, { keeper, root, commonDir });
    this.#issues.set(keeper.folder, file);
    return file;
  }
}
