import type { EngineSettings } from "../../contract/engine-settings.ts";
import { findProgram, isProgram } from "../shell/find-program.ts";
import type { CannotStart } from "./engine.ts";
import { engineNotInstalled } from "./known-programs.ts";

/** Finds the program of a known engine: where the user's settings say, else on the PATH. */
export type FindEngine = (name: string) => string | CannotStart;

export function engineFinder(env: Record<string, string | undefined>, settings: EngineSettings): FindEngine {
  return (name) => {
    const program = settings[name]?.program;
    if (program === undefined) return findProgram(name, env) ?? { reason: engineNotInstalled(name) };
    if (isProgram(program)) return program;
    const fix = `clew config set engines.${name}.program PATH --user`;
    return { reason: `engines.${name}.program is ${program}, which is no program`, fix };
  };
}
