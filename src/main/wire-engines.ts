import { engineProbes } from "../adapters/engines/probe.ts";
import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { readConfigAround } from "../adapters/files/config.ts";
import { repositoryAround } from "../adapters/git/repository.ts";
import { enginesApi } from "../app/engine/api.ts";
import type { EngineProbes } from "../app/engine/ports.ts";
import type { Api } from "../contract/api/api.ts";
import type { Settings } from "../contract/settings.ts";
import { openEngines } from "./engines.ts";
import type { Program } from "./program.ts";
import type { Environment } from "./wire-ground.ts";

interface Surrounding {
  cwd: string;
  env: Environment;
  program: Program;
}

/** Puts together what looks at engines, inside a repository or not. */
export function openEngineApi({ cwd, env, program }: Surrounding): Api["engines"] {
  const repository = repositoryAround(cwd);
  const settings = async (): Promise<Settings> => (await readConfigAround(cwd, repository, env)).settings;
  return enginesApi({
    probes: async () => openProbes(program, env, await settings(), repository?.root ?? cwd),
    configured: async () => (await settings()).engine,
  });
}

export function openProbes(program: Program, env: Environment, settings: Settings, root: string): EngineProbes {
  const { engines, version } = program;
  const script = scriptFile(settings, env, root);
  return engineProbes({ engines: openEngines(engines, env, settings.engines), settings: { script }, env, version });
}
