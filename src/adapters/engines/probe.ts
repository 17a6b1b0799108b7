import type { EngineFacts, EngineProbes, VersionAnswer } from "../../app/engine/ports.ts";
import type { RunSettings } from "../../contract/pinned-run.ts";
import { findProgram } from "../shell/find-program.ts";
import { askVersion } from "./ask-version.ts";
import type { CannotStart, Engine, EngineStart } from "./engine.ts";
import { installCommand, knownPrograms, type KnownProgram } from "./known-programs.ts";
import { isLoggedIn } from "./logged-in.ts";
import { tryStart } from "./start-problem.ts";

interface Parts {
  engines: readonly Engine[];
  settings: Pick<RunSettings, "script">;
  env: Record<string, string | undefined>;
  /** Clew's own, which the engines that come with it share. */
  version: string;
}

/** Looks at engines by their programs, files and variables. */
export function engineProbes({ engines, settings, env, version }: Parts): EngineProbes {
  return {
    names: engines.map(({ name }) => name),
    async probe(name) {
      const engine = engines.find((each) => each.name === name);
      if (!engine) return undefined;
      const start = tryStart(engine, settings);
      const { abilities, manners, bare, logIn, ownProgram } = engine;
      const facts = { name, abilities, manners, bare, logIn };
      if (ownProgram !== undefined)
        return {
          ...facts,
          path: ownProgram,
          answer: { version },
          isLoggedIn: true,
          ...obstacleOf(engine.lacks?.(settings) ?? start),
        };
      const known = Object.hasOwn(knownPrograms, name) ? knownPrograms[name] : undefined;
      const path = pathOf(start, env) ?? null;
      return {
        ...facts,
        path,
        ...(path === null && unfound(name, start, known)),
        ...(path !== null && known && { answer: await versionOf(path, start, env) }),
        ...(known && { tested: { version: known.tested, install: installCommand(known) } }),
        isLoggedIn: known ? isLoggedIn(known.logIn, env) : null,
      };
    },
  };
}

type Obstacle = Pick<EngineFacts, "obstacle">;

function unfound(name: string, start: EngineStart | CannotStart, known: KnownProgram | undefined): Obstacle {
  // An engine of the user's own.
  if (!("reason" in start)) {
    const reason = `there is no program ${start.command[0] ?? ""}`;
    return { obstacle: { reason, fix: "clew config show tells what engines says" } };
  }
  // Settings that name a wrong program come with their own fix.
  if (!known || start.fix !== undefined) return { obstacle: start };
  return { obstacle: { reason: `no folder on the PATH has ${name}`, fix: installCommand(known) } };
}

function obstacleOf(start: EngineStart | CannotStart): Obstacle {
  return "reason" in start ? { obstacle: start } : {};
}

function pathOf(start: EngineStart | CannotStart, env: Parts["env"]): string | undefined {
  const program = "reason" in start ? undefined : start.command[0];
  return program === undefined || program.startsWith("/") ? program : findProgram(program, env);
}

function versionOf(program: string, start: EngineStart | CannotStart, env: Parts["env"]): Promise<VersionAnswer> {
  return askVersion({ program, env: { ...env, ...("reason" in start ? {} : start.env) } });
}
