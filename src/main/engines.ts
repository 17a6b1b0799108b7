import { join } from "node:path";
import type { Engine } from "../adapters/engines/engine.ts";
import { scriptedEngine } from "../adapters/engines/scripted/engine.ts";

/** The engines of this version. `folder` has the programs of those that come with it. */
export function openEngines(folder: string): Engine[] {
  return [scriptedEngine(join(folder, "scripted.cjs"))];
}
