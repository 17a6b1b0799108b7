import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { engineStarts } from "../adapters/engines/start-problem.ts";
import { engineAgents } from "../adapters/engines/run-agent.ts";
import { transcriptFiles } from "../adapters/engines/transcript-files.ts";
import { isBelow } from "../adapters/files/bounds.ts";
import { sessionDrivers } from "../adapters/files/session-drivers.ts";
import { realPath } from "../adapters/files/real-path.ts";
import { paths } from "../adapters/layout.ts";
import { guardAgent } from "../adapters/shell/guard.ts";
import { agentMark } from "../adapters/shell/process-marks.ts";
import { RunClock } from "../adapters/system/run-clock.ts";
import { newId, sleep } from "../adapters/system/system.ts";
import { after } from "../adapters/system/timer.ts";
import type { AgentsApiParts } from "../app/agent/parts.ts";
import type { AgentParts } from "../app/grimoire/agents.ts";
import type { Agents } from "../app/engine/agents.ts";
import type { Redactor } from "../redact/redactor.ts";
import { openEngines } from "./engines.ts";
import { once } from "./once.ts";
import { openQuestions } from "./wire-questions.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what starts agents. */
export function openAgents({ disk, layout, env, settings }: Ground, redactor: Redactor, program: Program): Agents {
  return engineAgents({
    engines: openEngines(program.engines, env, settings.engines),
    redactor,
    transcripts: transcriptFiles(paths.transcriptsFolder(layout), disk, () => Date.now()),
    env,
    newId,
    resultTools: once(async () => new (await import("../mcp/result-tools.ts")).HttpResultTools(program.version)),
  });
}

interface TalkWiring extends Pick<AgentsApiParts, "log" | "find" | "chats" | "caller"> {
  cwd: string;
  program: Program;
  /** The files of agents. */
  agents: AgentParts;
}

/** Puts together what talks with agents. */
export async function openTalks(
  ground: Ground,
  { cwd, program, log, find, agents, chats, caller }: TalkWiring,
): Promise<AgentsApiParts> {
  const { env, settings, layout } = ground;
  return {
    agents: openAgents(ground, await ground.redactor(), program),
    engines: engineStarts(openEngines(program.engines, env, settings.engines)),
    settings: { script: scriptFile(settings, env, layout.root) },
    place: {
      folder: realPath(cwd),
      isOwnFolder: (folder) => folder === realPath(layout.root) || isBelow(folder, realPath(layout.root)),
      newMark: (sessionId) => agentMark("talk", sessionId, newId()),
    },
    time: {
      sleep,
      newClock: () => new RunClock(() => performance.now(), 0),
      later: after,
      permissionWaitMs: settings.permission_wait,
    },
    guard: guardAgent,
    defaultEngine: settings.engine,
    desk: openQuestions(ground),
    chats,
    drivers: sessionDrivers(paths.talkLocks(layout)),
    agentNamed: async (name) => (await import("../app/grimoire/agents.ts")).readAgentNamed(agents, name),
    log,
    find,
    caller,
  };
}
