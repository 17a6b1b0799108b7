import { openBeadStore } from "../adapters/beads/open-beads.ts";
import { readConfig } from "../adapters/files/config.ts";
import { definitionFiles } from "../adapters/files/definition-files.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { findRepository, type Repository } from "../adapters/git/repository.ts";
import type { BeadStore } from "../app/bead-port.ts";
import type { Definitions } from "../app/definitions.ts";
import { Grimoires } from "../app/grimoires.ts";
import { Spells } from "../app/spells.ts";
import { ClewError } from "../contract/errors.ts";
import type { Settings } from "../contract/settings.ts";
import { userFolder } from "./user-folder.ts";

interface Surrounding {
  cwd: string;
  env: Record<string, string | undefined>;
  /** The folder of the grimoires and spells that come with the program. */
  builtins: string;
  /** The folder of the engines that come with the program. */
  engines: string;
  /** Who has read the beads already. */
  beads?: BeadStore;
}

/** Puts together what reads grimoires and spells. Reads only: no file written, no lock, and no process but the one that keeps the beads, where one does. */
export function openDefinitions({ cwd, env, builtins, engines, beads: opened }: Surrounding): Definitions {
  const repository = repositoryAround(cwd);
  const root = repository?.root;
  const files = definitionFiles({ cwd, root, builtins });
  const beads = repository && ((): Promise<BeadStore> => readBeads(repository, env, settings, opened));
  const settings = async (): Promise<Settings> =>
    (await readConfig(nodeDisk, root ?? cwd, userFolder(env), repository?.commonDir)).settings;
  return {
    grimoires: new Grimoires({
      files,
      beads,
      async choice() {
        const { default_grimoire: fallback, grimoire_types: byType } = await settings();
        return { fallback, byType };
      },
      async start() {
        const { startRules } = await import("./wire-start-rules.ts");
        const { createRedactor } = await import("../redact/redactor.ts");
        // Only a bead asks for this, and beads live in a repository.
        const parts = {
          repository: repository!,
          beads: await beads!(),
          redactor: createRedactor({ env }),
          engines,
        };
        const { runSettings } = await import("./run-settings.ts");
        return { rules: startRules(parts), settings: runSettings(await settings(), env, repository!.root) };
      },
    }),
    spells: new Spells(files),
    grimoireSchema: async () => (await import("../grimoire/definition/json-schema.ts")).grimoireJsonSchema(),
  };
}

/**
 * The beads as they are now: a daemon lives longer than what it read. Where nobody has opened them nothing is written, so
 * that nobody has to wait for others: a program that keeps the beads looks after that itself.
 */
async function readBeads(
  { root, commonDir }: Repository,
  env: Surrounding["env"],
  settings: () => Promise<Settings>,
  opened?: BeadStore,
): Promise<BeadStore> {
  if (opened) {
    await opened.refresh();
    return opened;
  }
  const locks = {
    with: async <T>(_: string, work: () => T | Promise<T>): Promise<T> => work(),
    close: () => undefined,
  };
  return openBeadStore({
    disk: nodeDisk,
    root,
    commonDir,
    env,
    actor: "clew",
    locks: async () => locks,
    locksAt: async () => locks,
    // Only a preview asks, which says what a run would meet.
    mayWriteOutside: (await settings()).allow_outside_beads,
    refuseLeftOut: () => undefined,
  });
}

/** A grimoire or spell named by its path can be read anywhere. */
function repositoryAround(cwd: string): Repository | undefined {
  try {
    return findRepository(cwd);
  } catch (error) {
    if (error instanceof ClewError && error.code === "not_a_repository") return undefined;
    throw error;
  }
}
