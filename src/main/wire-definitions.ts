import { readBeads } from "../adapters/beads/read-beads.ts";
import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { readConfigAround } from "../adapters/files/config.ts";
import { definitionFiles } from "../adapters/files/definition-files.ts";
import { repositoryAround } from "../adapters/git/repository.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import { grimoiresApi } from "../app/grimoire/api.ts";
import type { GrimoireParts } from "../app/grimoire/grimoires.ts";
import type { HistoryParts } from "../app/grimoire/history.ts";
import { runSettings } from "../app/run/settings.ts";
import { spellsApi } from "../app/spell/api.ts";
import { grimoireChoice } from "../bead/choose-grimoire.ts";
import type { Api } from "../contract/api/api.ts";
import type { Settings } from "../contract/settings.ts";
import type { Program } from "./program.ts";
import type { Environment } from "./wire-ground.ts";

interface Surrounding {
  cwd: string;
  env: Environment;
  program: Program;
  /** The beads, when they are open already. */
  beads?: BeadStore;
  /** Paths are refused: another program asks, and could name any file of this machine. */
  byNameOnly?: boolean;
}

/** What can be asked of grimoires and spells before anything runs, inside a repository or not. */
export type Definitions = Pick<Api, "grimoires" | "spells">;

export function openDefinitions(surrounding: Surrounding, history: () => Promise<HistoryParts>): Definitions {
  const parts = openGrimoires(surrounding);
  return { grimoires: grimoiresApi(parts, history), spells: spellsApi(parts.files) };
}

/** Puts together what reads grimoires. Writes no file, takes no lock, and starts no process but the one that keeps the beads. */
export function openGrimoires({ cwd, env, program, beads: openedBeads, byNameOnly }: Surrounding): GrimoireParts {
  const { builtins, engines } = program;
  // A grimoire or spell named by its path can be read anywhere.
  const repository = repositoryAround(cwd);
  const beads =
    repository && ((): Promise<BeadStore> => readBeads({ repository, env, settings, openStore: openedBeads }));
  const settings = async (): Promise<Settings> => (await readConfigAround(cwd, repository, env)).settings;
  return {
    files: definitionFiles({ cwd, root: repository?.root, builtins, byNameOnly: byNameOnly ?? false }),
    beads,
    allowsFullAgents: async () => (await settings()).allow_full_agents,
    async engines() {
      const { engine, engines: own } = await settings();
      const all = (await import("./engines.ts")).openEngines(engines, env, own);
      const names = all.map(({ name }) => name);
      const keepingTools = all.flatMap(({ name, abilities }) => (abilities.tools ? [name] : []));
      return { names, configured: engine, keepingTools };
    },
    choice: async () => grimoireChoice(await settings()),
    async start() {
      const { startRules } = await import("./wire-start-rules.ts");
      const { createRedactor } = await import("../redact/redactor.ts");
      const now = await settings();
      // Only a bead asks for this, and beads live in a repository.
      const rules = startRules({
        repository: repository!,
        beads: await beads!(),
        redactor: createRedactor({ env }),
        engines,
        settings: now,
        env,
      });
      return { rules, settings: runSettings(now, scriptFile(now, env, repository!.root)) };
    },
  };
}
