import { acpEngine } from "../adapters/engines/acp/engine.ts";
import { claudeEngine } from "../adapters/engines/claude/engine.ts";
import { codexEngine } from "../adapters/engines/codex/engine.ts";
import type { Engine } from "../adapters/engines/engine.ts";
import { geminiEngine } from "../adapters/engines/gemini/engine.ts";
import { opencodeEngine } from "../adapters/engines/opencode/engine.ts";
import { engineFinder } from "../adapters/engines/find-engine.ts";
import { qwenEngine } from "../adapters/engines/qwen/engine.ts";
import { scriptedEngine } from "../adapters/engines/scripted/engine.ts";
import { programPaths } from "../adapters/layout/program-paths.ts";
import type { EngineSettings } from "../contract/engine-settings.ts";

/** The engines of this version, and the user's own. `folder` has the programs of those that come with it. */
export function openEngines(
  folder: string,
  env: Record<string, string | undefined>,
  settings: EngineSettings,
): Engine[] {
  const find = engineFinder(env, settings);
  const clew = [process.execPath, programPaths.clew(folder)];
  const own = Object.entries(settings).flatMap(([name, { acp }]) => (acp ? [acpEngine(name, acp)] : []));
  return [
    claudeEngine(find, clew),
    codexEngine(find),
    geminiEngine(find),
    opencodeEngine(find, env),
    qwenEngine(find, clew, env),
    scriptedEngine(programPaths.engine(folder, "scripted")),
    ...own,
  ];
}
