import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { engineStarts } from "../adapters/engines/start-problem.ts";
import { engineAgents } from "../adapters/engines/engine-agents.ts";
import { transcriptFiles } from "../adapters/engines/transcript-files.ts";
import { openEvidence } from "../adapters/hooks/evidence-log.ts";
import { noteFault } from "../adapters/hooks/fault-log.ts";
import { isBelow } from "../adapters/files/bounds.ts";
import { sessionDrivers } from "../adapters/files/session-drivers.ts";
import { talkStateFiles } from "../adapters/files/talk-state-files.ts";
import { realPath } from "../adapters/files/real-path.ts";
import { paths } from "../adapters/layout.ts";
import { guardAgent } from "../adapters/shell/guard.ts";
import { endSurvivors } from "../adapters/shell/survivors.ts";
import { agentMark } from "../adapters/shell/process-marks.ts";
import { RunClock } from "../adapters/system/run-clock.ts";
import { newId, sleep, systemClock } from "../adapters/system/system.ts";
import { after } from "../adapters/system/timer.ts";
import type { AgentsApiParts } from "../app/agent/parts.ts";
import type { AgentParts } from "../app/grimoire/agents.ts";
import type { Agents } from "../app/engine/agents.ts";
import type { HandedInResults } from "../app/run/connected/ports.ts";
import { answerHook, type HookAnswerer, type HookQuestion } from "../app/hook/answer.ts";
import type { HookAnswer } from "../contract/hook.ts";
import type { Redactor } from "../redact/redactor.ts";
import { redactValue } from "../redact/redact-value.ts";
import { openEngines } from "./engines.ts";
import { hookAnswerers, type LoadedAnswerers } from "./hook-answerers.ts";
import { once } from "./once.ts";
import { openHandles, openQuestions } from "./wire-questions.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what starts agents. Only runs have connected ones, who hand in. */
export function openAgents(
  ground: Ground,
  redactor: Redactor,
  program: Program,
  { handedIn, rehydrate }: { handedIn?: HandedInResults; rehydrate: HookAnswerer },
): Agents {
  const { disk, layout, env, settings } = ground;
  const server = once(async () => new (await import("../http/shared-server.ts")).SharedServer());
  return engineAgents({
    ...(handedIn && { handedIn }),
    engines: openEngines(program.engines, env, settings.engines),
    redactor,
    transcripts: transcriptFiles(paths.transcriptsFolder(layout), disk, () => Date.now()),
    env,
    newId,
    resultTools: once(async () => {
      const { HttpResultTools } = await import("../mcp/result-tools.ts");
      return new HttpResultTools(program.version, await server());
    }),
    hooks: {
      async endpoints() {
        const { HttpHookEndpoints } = await import("../http/hook-endpoints.ts");
        return new HttpHookEndpoints(await server());
      },
      openEvidence: (owner) => openEvidence(ground.repository, owner),
      noteFault: (fault) => noteFault(layout.home, fault),
      now: () => new Date(),
    },
    policy: async (held) => (await import("./wire-policies.ts")).openAgentPolicy(ground, held),
    answerHook: (question) => answerQuestion(ground, redactor, { rehydrate, witness: silent, held: silent }, question),
  });
}

/** What is only asked for agents that the user started. */
const silent: HookAnswerer = async () => undefined;

/** What all that have a say answer together; a fault of one of them is noted. */
function answerQuestion(
  { layout, env }: Ground,
  { redact }: Redactor,
  loaded: LoadedAnswerers,
  question: HookQuestion,
): Promise<HookAnswer> {
  const place = { folder: question.folder, home: layout.home, root: layout.root };
  return answerHook(hookAnswerers(place, env, loaded), question, (error) => {
    const what = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
    noteFault(layout.home, redactValue({ at: new Date().toISOString(), event: question.event, what }, redact));
  });
}

interface TalkWiring extends Pick<AgentsApiParts, "log" | "find" | "chats" | "caller" | "rehydrations"> {
  cwd: string;
  program: Program;
  /** Tells agents by their hooks where they stand. */
  rehydrate: HookAnswerer;
  /** The files of agents. */
  agents: AgentParts;
}

/** Puts together what talks with agents. */
export async function openTalks(
  ground: Ground,
  { cwd, program, rehydrate, rehydrations, log, find, agents, chats, caller }: TalkWiring,
): Promise<AgentsApiParts> {
  const { env, settings, layout } = ground;
  const redactor = await ground.redactor();
  return {
    agents: openAgents(ground, redactor, program, { rehydrate }),
    engines: engineStarts(openEngines(program.engines, env, settings.engines)),
    settings: { script: scriptFile(settings, env, layout.root) },
    rules: once(async () => (await import("./wire-policies.ts")).rulesNow(ground)),
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
    handles: {
      handles: openHandles(ground),
      redact: (value) => redactValue(value, redactor.redact),
      now: () => new Date(systemClock.now()).toISOString(),
      later: after,
    },
    rehydrations,
    drivers: sessionDrivers(paths.talkLocks(layout)),
    states: talkStateFiles(ground.disk, paths.talkStates(layout)),
    endSurvivors: async (process) => void (await endSurvivors([process])),
    requireAgent: async (name) => (await import("../app/grimoire/agents.ts")).requireAgent(agents, name),
    log,
    find,
    caller,
  };
}
