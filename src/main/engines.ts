import { claudeEngine } from "../adapters/engines/claude/engine.ts";
import type { Engine } from "../adapters/engines/engine.ts";
import { scriptedEngine } from "../adapters/engines/scripted/engine.ts";
import { programPaths } from "../adapters/layout.ts";

/** The engines of this version. `folder` has the programs of those that come with it. */
export function openEngines(folder: string, env: Record<string, string | undefined>): Engine[] {
  return [claudeEngine(env), scriptedEngine(programPaths.engine(folder, "scripted"))];
}
