import { relative } from "node:path";
import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { engineStarts } from "../adapters/engines/start-problem.ts";
import { sessionDrivers } from "../adapters/files/session-drivers.ts";
import { realPath } from "../adapters/files/real-path.ts";
import { lockPath } from "../adapters/layout.ts";
import { turnPaths } from "../adapters/layout/turn-paths.ts";
import { guardAgent } from "../adapters/shell/guard.ts";
import { agentMark } from "../adapters/shell/process-marks.ts";
import { RunClock } from "../adapters/system/run-clock.ts";
import { newId } from "../adapters/system/system.ts";
import { contextFiles } from "../adapters/turns/context-files.ts";
import { turnFolders } from "../adapters/turns/turn-folders.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { SessionOwner } from "../app/session/owner.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { PlanningParts, TurnParts } from "../app/turn/parts.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";

interface TurnWiring extends Pick<TurnParts, "sessions" | "find" | "caller" | "mend"> {
  cwd: string;
  program: Program;
  /** Tells agents by their hooks where they stand. */
  rehydrate: HookAnswerer;
}

/** Puts together what plans turns. */
export function openTurns(ground: Ground, wiring: TurnWiring): TurnParts {
  const { disk, layout, git, repository, settings, env } = ground;
  const { cwd, program, sessions, find, caller, mend } = wiring;
  const folderOf = (session: string, turn?: string): string =>
    turn === undefined ? turnPaths.session(layout, session) : turnPaths.turn(layout, session, turn);
  return {
    store: turnFolders(disk, layout),
    files: contextFiles({ disk, layout, commonDir: repository.commonDir, git }),
    readRefusal: async () => (await import("./turn-policy.ts")).readRefusals(ground),
    sessions,
    find,
    drivers: sessionDrivers(turnPaths.locks(layout)),
    caller,
    mend,
    budget: settings.context_budget,
    folderOf,
    pathOf: (session, turn, file) => relative(layout.root, turnPaths.file(folderOf(session, turn), file)),
    async requireAgent(name) {
      const { readPlanningAgent } = await import("../app/grimoire/agents.ts");
      const { openGrimoires } = await import("./wire-definitions.ts");
      return readPlanningAgent(openGrimoires({ cwd, env, program }), name);
    },
    planning: () => openPlanning(ground, wiring),
  };
}

async function openPlanning(ground: Ground, { program, rehydrate }: TurnWiring): Promise<PlanningParts> {
  const { env, settings, layout } = ground;
  const { openAgents } = await import("./wire-agents.ts");
  const { openEngines } = await import("./engines.ts");
  return {
    agents: openAgents(ground, await ground.redactor(), program, { rehydrate }),
    engines: engineStarts(openEngines(program.engines, env, settings.engines)),
    settings: { script: scriptFile(settings, env, layout.root) },
    folder: realPath(layout.root),
    newMark: (session) => agentMark("talk", session, newId()),
    newClock: () => new RunClock(() => performance.now(), 0),
    guard: guardAgent,
    defaultEngine: settings.engine,
  };
}

/** What keeps the sessions of turns. */
export async function openTurnOwner(
  { disk, layout }: Ground,
  sessions: SessionParts,
  warn: (message: string) => void,
): Promise<SessionOwner> {
  const { turnSessionOwner } = await import("../app/turn/session/owner.ts");
  return turnSessionOwner({
    store: turnFolders(disk, layout),
    sessions,
    drivers: sessionDrivers(turnPaths.locks(layout)),
    removeState(session) {
      disk.remove(turnPaths.journals(layout, session));
      disk.remove(lockPath(turnPaths.locks(layout), session));
    },
    warn,
  });
}
