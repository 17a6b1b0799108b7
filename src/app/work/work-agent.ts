import type { WorkNews } from "../../contract/api/work.ts";
import type { TalkNews } from "../../contract/api/agent.ts";
import type { Bead } from "../../contract/bead.ts";
import type { WorkAgent, WorkState } from "../../contract/work-state.ts";
import type { ChatWatch } from "../agent/chat.ts";
import { ChatRecord } from "../agent/chat-record.ts";
import type { PriceTable } from "../../engine/prices.ts";
import type { AgentEnd, AgentHandle, AgentProcess } from "../engine/agents.ts";
import { openChat } from "../agent/open-chat.ts";
import { taskWith } from "../agent/talk-options.ts";
import { BranchWatch } from "./branch-watch.ts";
import type { WorkParts } from "./parts.ts";
import { stateOf } from "./recover-state.ts";
import { writable } from "./state.ts";
import { phaseTitle } from "./tasks.ts";
import { Trail } from "./trail.ts";
import type { WorkBudget } from "./work-budget.ts";
import type { AgentChoice } from "./plan.ts";

/** What the transcripts of work sessions are called. */
export const workLabel = "work";

export interface WorkAgentRequest {
  session: string;
  task: Bead;
  prompt: string;
  choice: AgentChoice;
  /** The engine's own session that it goes on with. */
  resume: string | undefined;
  goOnCommand: string;
  /** Whether the prompt tells it where it stands. */
  hasRehydration: boolean;
}

/** How one agent of a work session ended. */
export interface WorkAgentEnd {
  news: Extract<TalkNews, { type: "ended" }>;
  end: AgentEnd;
  /** Another branch was checked out while it worked. */
  switchedTo: string | null | undefined;
  /** Whether the engine came to work at all. */
  hasWorked: boolean;
}

/** Runs one agent in a work session, from its start until all that it did is on disk. */
export async function runWorkAgent(
  parts: WorkParts,
  request: WorkAgentRequest,
  budget: WorkBudget,
  tell: (news: WorkNews) => void,
  signal: AbortSignal,
): Promise<WorkAgentEnd> {
  const { session, task, prompt, choice, resume, goOnCommand } = request;
  const { agents, place, log } = parts;
  const { engine, model, tools } = choice;
  // An agent may go on with the next task by itself.
  const currentTask = (): string => parts.states.read(session)?.current ?? task.id;
  const record = new ChatRecord(log, session, engine, currentTask);
  const branch = new BranchWatch(place.branch, agents.time.newClock());
  const phase = phaseTitle(task);
  let trail: Trail | undefined;
  let prices: PriceTable | undefined;
  void agents.agents.prices().then((table) => (prices = table));
  const known = parts.states.read(session);
  let hasWorked = false;
  let isStarted = false;
  const watch: ChatWatch = {
    onStarted(process, agent) {
      isStarted = true;
      const at = new Date(log.sessions.clock.now()).toISOString();
      noteAgent(parts, request, { process, agent, branch: branch.first });
      trail = new Trail(log.sessions, session, {
        engine,
        prompt,
        now: () => log.sessions.clock.now(),
        model,
        engineSession: resume,
        transcriptFile: agent.transcript,
        folder: place.folder,
        task: currentTask,
        prices: () => prices,
      });
      record.beginPhase(phase, agent.transcript === undefined ? undefined : { at, transcript: agent.transcript });
    },
    onEvent(event, line, agent) {
      trail?.add(event, line);
      if (event.type === "message" || event.type === "tool_call" || event.type === "thinking") hasWorked = true;
      if (branch.look()) agent.stop();
    },
    onGone() {
      branch.lookNow();
      // Its error stands in a phase of its own.
      if (!isStarted) record.beginPhase(phase);
    },
  };
  const chatBudget = budget.forAgent(parts, choice, (message) => tell({ type: "warning", message }));
  const { chat, run } = openChat(agents, {
    engine,
    tools,
    record,
    folder: place.folder,
    budget: chatBudget,
    goOnCommand,
    hasRehydration: request.hasRehydration,
    watch,
    tell(news) {
      if (news.type !== "ended") tell(news);
    },
  });
  const rules = await agents.rules();
  const news = await run((listeners) =>
    agents.agents.run({
      engine,
      task: taskWith(choice, { prompt, until: "result", rounds: chatBudget?.roundsLeft }),
      ...(resume !== undefined && { resume }),
      place: { folder: place.folder, env: { CLEW_SESSION: session }, mark: place.newMark(session) },
      settings: agents.settings,
      rules,
      ...(chatBudget?.needsCost && { needsCost: true }),
      signal,
      transcript: { owner: session, label: workLabel },
      listeners,
    }),
  );
  await trail?.end();
  await forgetAgent(parts, session, known);
  const end = chat.end!;
  budget.add(end);
  return { news: news as WorkAgentEnd["news"], end, switchedTo: branch.switchedTo, hasWorked };
}

/** On disk before the agent does anything: the next process can end it, and read what it did. */
function noteAgent(
  parts: WorkParts,
  request: WorkAgentRequest,
  { process, agent, branch }: { process: AgentProcess; agent: AgentHandle; branch: string | null },
): void {
  const { session, task, choice, resume } = request;
  const before = parts.states.read(session);
  if (!before || agent.transcript === undefined) return;
  const { last_result: _, ...state } = before;
  const live: WorkAgent = {
    engine: choice.engine,
    level: choice.level,
    ...(choice.model !== undefined && { model: choice.model }),
    ...(resume !== undefined && { resume }),
    folder: parts.place.folder,
    branch,
    transcript: agent.transcript,
    task: task.id,
    process,
    subagent_mode: parts.log.sessions.settings.subagent_mode,
  };
  parts.states.write(session, writable({ ...state, agent: live }, parts.log.redact));
}

async function forgetAgent(parts: WorkParts, session: string, known: WorkState | undefined): Promise<void> {
  await stateOf(parts, session, known);
  await parts.states.change(session, ({ agent: _, ...state }) => state);
}
