import { beadReader, issuesFileAt } from "../adapters/beads/issues-file.ts";
import { readConfig } from "../adapters/files/config.ts";
import { definitionFiles } from "../adapters/files/definition-files.ts";
import { nodeDisk } from "../adapters/files/disk.ts";
import { findRepository, type Repository } from "../adapters/git/repository.ts";
import type { BeadReader } from "../app/definitions-port.ts";
import type { Definitions } from "../app/definitions.ts";
import { Grimoires } from "../app/grimoires.ts";
import { Spells } from "../app/spells.ts";
import { ClewError } from "../contract/errors.ts";
import { userFolder } from "./user-folder.ts";

interface Surrounding {
  cwd: string;
  env: Record<string, string | undefined>;
  /** The folder of the grimoires and spells that come with the program. */
  builtins: string;
  /** Who has read the beads already. */
  beads?: BeadReader;
}

/** Puts together what reads grimoires and spells. Reads only: no process, no file written, no lock. */
export function openDefinitions({ cwd, env, builtins, beads }: Surrounding): Definitions {
  const root = repositoryAround(cwd)?.root;
  const files = definitionFiles({ cwd, root, builtins });
  return {
    grimoires: new Grimoires({
      files,
      beads: beads ?? (root === undefined ? undefined : beadReader(issuesFileAt(nodeDisk, root))),
      async choice() {
        const { settings } = await readConfig(nodeDisk, root ?? cwd, userFolder(env));
        return { fallback: settings.default_grimoire, byType: settings.grimoire_types };
      },
    }),
    spells: new Spells(files),
    grimoireSchema: async () => (await import("../grimoire/definition/json-schema.ts")).grimoireJsonSchema(),
  };
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
