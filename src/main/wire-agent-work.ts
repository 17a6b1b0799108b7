import type { AgentsApiParts } from "../app/agent/parts.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { Rehydrations } from "../app/rehydrate/rehydrations.ts";
import type { ConnectedRuns } from "../app/run/connected/connected-runs.ts";
import type { Caller } from "../app/run/ports.ts";
import type { RefusedBeads } from "../app/scheduler/refused-beads.ts";
import type { LogParts } from "../app/session/log.ts";
import type { TurnParts } from "../app/turn/parts.ts";
import type { WorkParts } from "../app/work/parts.ts";
import type { ExecutionsApi } from "../contract/api/turn-execution.ts";
import type { Surrounding } from "./app.ts";
import { once, type Once } from "./once.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface AgentWorkWiring extends Pick<Surrounding, "cwd" | "program" | "knownRuns" | "warn"> {
  asker: Surrounding["asker"] | undefined;
  sessions: LogParts["sessions"];
  find: (name: string | undefined) => Promise<string>;
  log: () => Promise<LogParts>;
  caller: () => Promise<Caller>;
  beads: () => Promise<{ store: BeadStore }>;
  refused: () => Promise<RefusedBeads>;
}

/** What has agents work: runs, talks, work sessions and turns; and what tells agents where they stand. */
export interface AgentWork {
  runs: Once<OpenedRuns>;
  connectedRuns: Once<ConnectedRuns>;
  rehydrations: Once<Rehydrations>;
  rehydrationAnswerer: Once<HookAnswerer>;
  talks: Once<AgentsApiParts>;
  work: Once<WorkParts>;
  turns: Once<TurnParts>;
  executions: Once<ExecutionsApi>;
}

/** Each is put together when it is first asked for. */
export function openAgentWork(ground: Ground, wiring: AgentWorkWiring): AgentWork {
  const { env } = ground;
  const { cwd, program, asker, warn, sessions, find, log, caller, beads, refused } = wiring;
  const rehydrate: HookAnswerer = async (question) => (await rehydrationAnswerer())(question);
  const runs: Once<OpenedRuns> = once(async () => {
    const { openRuns } = await import("./wire-runs.ts");
    const { openGrimoires } = await import("./wire-definitions.ts");
    const { store } = await beads();
    return openRuns(ground, {
      sessions,
      grimoires: openGrimoires({ cwd, env, program, beads: store }),
      beads: store,
      refused: await refused(),
      program,
      rehydrations: () => rehydrations(),
      rehydrate,
      asker,
      knownRuns: wiring.knownRuns,
      warn,
    });
  });
  const connectedRuns = once(async () => {
    const { ConnectedRuns } = await import("../app/run/connected/connected-runs.ts");
    const { runsApi } = await import("../app/run/api.ts");
    const { forApi, forConnected } = await runs();
    return new ConnectedRuns({ runs: runsApi(forApi), rehydrations, ...forConnected });
  });
  const rehydrationAnswerer = once(async () => {
    const { openRehydrationAnswerer } = await import("./wire-rehydration.ts");
    return openRehydrationAnswerer(ground, { sessions, runs, rehydrations: await rehydrations() });
  });
  const rehydrations: Once<Rehydrations> = once(async () =>
    (await import("./wire-rehydration.ts")).openRehydrations(ground, { sessions, runs }),
  );
  const chats = once(async () => new (await import("../app/agent/live-chats.ts")).LiveChats());
  const talks = once(async () => {
    const { openTalks } = await import("./wire-agents.ts");
    const { openGrimoires } = await import("./wire-definitions.ts");
    const agents = openGrimoires({ cwd, env, program });
    return openTalks(ground, {
      cwd,
      program,
      rehydrate,
      rehydrations,
      log,
      find,
      chats: await chats(),
      caller,
      agents,
    });
  });
  const work = once(async () => {
    const { openWork } = await import("./wire-work.ts");
    const { openGrimoires } = await import("./wire-definitions.ts");
    const { store } = await beads();
    return openWork(ground, {
      cwd,
      program,
      log: await log(),
      find,
      beads: store,
      runs: await runs(),
      grimoires: openGrimoires({ cwd, env, program, beads: store }),
      chats: await chats(),
      caller,
      rehydrations,
      rehydrate,
      warn,
    });
  });
  const turns = once(async () => {
    const { openTurns } = await import("./wire-turns.ts");
    return openTurns(ground, { cwd, program, sessions, find, caller, rehydrate, mend: (id) => mendExecutions(id) });
  });
  const mendExecutions = async (session: string): Promise<void> =>
    (await import("./wire-turn-execution.ts")).openMending(ground, warn)(session);
  const executions = once(async () => {
    const { openExecutions } = await import("./wire-turn-execution.ts");
    const { executionsApi } = await import("../app/turn/execution/api.ts");
    return executionsApi(await openExecutions(ground, { turns: await turns(), talks, warn }));
  });

  return { runs, connectedRuns, rehydrations, rehydrationAnswerer, talks, work, turns, executions };
}
