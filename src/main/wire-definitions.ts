import { readBeads } from "../adapters/beads/read-beads.ts";
import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { readConfig } from "../adapters/files/config.ts";
import { definitionFiles } from "../adapters/files/definition-files.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { repositoryAround } from "../adapters/git/repository.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { Definitions } from "../app/grimoire/definitions.ts";
import { Grimoires } from "../app/grimoire/grimoires.ts";
import { runSettings } from "../app/run/settings.ts";
import { Spells } from "../app/spell/render.ts";
import type { Settings } from "../contract/settings.ts";
import { userSettings } from "../adapters/layout.ts";

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
  // A grimoire or spell named by its path can be read anywhere.
  const repository = repositoryAround(cwd);
  const root = repository?.root;
  const files = definitionFiles({ cwd, root, builtins });
  const beads = repository && ((): Promise<BeadStore> => readBeads({ repository, env, settings, openStore: opened }));
  const settings = async (): Promise<Settings> =>
    (await readConfig(nodeDisk, root ?? cwd, userSettings(env), repository?.commonDir)).settings;
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
        const now = await settings();
        return {
          rules: startRules(parts),
          settings: runSettings(now, scriptFile(now, env, repository!.root)),
        };
      },
    }),
    spells: new Spells(files),
    grimoireSchema: async () => (await import("../grimoire/definition/json-schema.ts")).grimoireJsonSchema(),
  };
}
