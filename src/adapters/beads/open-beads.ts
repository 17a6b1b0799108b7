import type { BeadPlace, BeadStore } from "../../app/bead-port.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { beadFiles } from "./bead-files.ts";
import { issuesFileAt } from "./issues-file.ts";
import { findWorkspace, type Workspace } from "./workspace.ts";

interface OpenParts {
  disk: Disk;
  /** The main checkout. */
  root: string;
  locks: () => Promise<Locks>;
  env: Record<string, string | undefined>;
  actor: string;
  /** Throws when the file of beads is not to be written here. */
  refuseLeftOut: () => void;
}

/**
 * The beads of a repository: in the file itself, or behind the program whose database they belong to. Who keeps them is
 * looked up at each call, because somebody may have begun to use a program since.
 */
export async function openBeadStore(parts: OpenParts): Promise<BeadStore> {
  const { disk, root, locks, env } = parts;
  const places = new Map<string, BeadPlace>();
  const files = (folder: string): BeadPlace =>
    remembered(places, `files ${folder}`, () =>
      beadFiles({ disk, root, file: issuesFileAt(disk, root, folder), locks }),
    );

  /** Loaded where it is needed: most repositories have no program. */
  const programs = async (workspace: Workspace): Promise<BeadPlace | undefined> => {
    const { kind, folder } = workspace;
    if (kind === "native") return undefined;
    const key = `${kind} ${folder}`;
    if (!places.has(key)) {
      const made = await (await import("./open-program.ts")).openProgram(workspace, kind, parts);
      if (made) places.set(key, made);
    }
    return places.get(key);
  };

  const reader = (): BeadPlace => {
    const { kind, folder, shown } = findWorkspace(root, env);
    const program = places.get(`${kind} ${folder}`);
    // The file beside such a database is no source of anything.
    if (!program && kind === "bd") throw new ClewError("not_available", `${shown}: this is new`, "repeat the command");
    return program ?? files(folder);
  };

  const writer = async (): Promise<BeadPlace> => {
    changes++;
    const workspace = findWorkspace(root, env);
    const program = await programs(workspace);
    if (program) return program;
    if (workspace.kind !== "native") await (await import("./refuse-unwritable.ts")).refuseUnwritable(root, env);
    parts.refuseLeftOut();
    return files(workspace.folder);
  };

  let changes = 0;
  const store: BeadStore = {
    get changes() {
      return changes;
    },
    get place() {
      return reader().place;
    },
    find: (id) => reader().find(id),
    ids: () => reader().ids(),
    all: () => reader().all(),
    lines: () => reader().lines(),
    refresh: async () => (await programs(findWorkspace(root, env)))?.refresh(),
    change: async (...asked) => (await writer()).change(...asked),
    add: async (...asked) => (await writer()).add(...asked),
    put: async (...asked) => (await writer()).put(...asked),
    remove: async (...asked) => (await writer()).remove(...asked),
    claim: async (...asked) => (await writer()).claim(...asked),
  };
  // Whatever is wrong is told to whoever reads: others need no beads.
  await store.refresh().catch(() => undefined);
  return store;
}

function remembered<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const found = kept.get(key);
  if (found !== undefined) return found;
  const made = make();
  kept.set(key, made);
  return made;
}
