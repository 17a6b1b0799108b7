import type { Redacted } from "../../contract/redacted.ts";
import { beadStatusOf } from "../../contract/bead.ts";
import type { LogEntry } from "../../contract/session.ts";
import type { LiveAgent, WorkState } from "../../contract/work-state.ts";
import { createFold } from "../../engine/fold.ts";
import { RoundBreadcrumbs, type RoundBreadcrumb } from "../../engine/round-breadcrumbs.ts";
import { AgentEntries } from "../../engine/session-entries.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { parseItems } from "../../session/parse.ts";
import { addCost, type EngineSession } from "../agent/chat-record.ts";
import type { AgentEnd } from "../engine/agents.ts";
import { changeSession } from "../session/change.ts";
import { finishEntry } from "../session/entries.ts";
import { endSession, pauseRecord } from "../session/lifecycle.ts";
import { missingEntries, projectedPhases } from "../session/missing-entries.ts";
import type { WorkParts } from "./parts.ts";
import { stateOf } from "./recover-state.ts";
import { closeTask, countOpen, giveBackTasks, phaseTitle } from "./tasks.ts";
import { addMissingBreadcrumbs } from "./trail.ts";

/**
 * Mends what a dead driver left: its agent is ended, what the transcript has and the session has not is written, and session and
 * bead are what they would be after a pause. Does nothing when there is nothing to mend. The caller holds the session's lock.
 */
export async function mendWork(parts: WorkParts, session: string): Promise<void> {
  const state = await stateOf(parts, session);
  if (!state) return;
  const { agent } = state;
  if (agent) {
    await parts.place.endSurvivors(agent.process);
    await takeIn(parts, session, agent);
  }
  const { status } = parts.log.sessions.records.glance(session) ?? { status: "active" };
  if (await isCompleted(parts, state)) return complete(parts, state);
  const isActive = status === "active";
  if (isActive) {
    await changeSession(parts.log.sessions, session, async (record) => {
      if (record.glance.status === "active") await pauseRecord(record);
      return record.save();
    });
  }
  if (!agent && !isActive && state.current === null) return;
  await giveBackTasks(parts, tasksOf(state), session);
  await parts.states.change(session, ({ agent: _, ...rest }) => ({ ...rest, current: null }));
}

/** Whether the driver died after the last task was closed. */
async function isCompleted(parts: WorkParts, { current, bead, session }: WorkState): Promise<boolean> {
  const closed = current === null ? undefined : parts.beads.store.find(current);
  if (closed && beadStatusOf(closed) === "closed") {
    const summary = closed.close_reason ?? "closed";
    await closeTask(parts, closed.id, session, { success: true, summary });
  }
  return countOpen(parts, bead) === 0;
}

async function complete(parts: WorkParts, { bead, session, current }: WorkState): Promise<void> {
  const { sessions } = parts.log;
  await parts.claims.release(bead, session);
  const status = sessions.records.glance(session)?.status;
  if (status === "active" || status === "paused") await endSession(sessions, session, "completed");
  await parts.states.change(session, ({ agent: _, ...state }) => ({
    ...state,
    current: null,
    done: current === null || state.done.includes(current) ? state.done : [...state.done, current],
  }));
}

function tasksOf({ bead, current }: WorkState): string[] {
  return current === null ? [bead] : [current, bead];
}

/** Writes what the transcript has and the session has not. */
async function takeIn(parts: WorkParts, session: string, agent: LiveAgent): Promise<void> {
  const { log } = parts;
  const at = new Date(log.sessions.clock.now()).toISOString();
  const projection = new TranscriptEntries(agent, titleOf(parts, agent), at);
  const prices = await parts.agents.agents.prices();
  const rounds = new RoundBreadcrumbs({
    engine: agent.engine,
    prompt: undefined,
    now: () => log.sessions.clock.now(),
    model: agent.model,
    engineSession: agent.resume,
    transcriptFile: agent.transcript,
    folder: agent.folder,
    task: () => agent.task,
    prices: () => prices,
  });
  const breadcrumbs: RoundBreadcrumb[] = [];
  const used = await parts.agents.agents.replay(
    {
      engine: agent.engine,
      transcript: { owner: session, name: agent.transcript },
      task: { level: agent.level, ...(agent.model !== undefined && { model: agent.model }) },
      ...(agent.resume !== undefined && { resume: agent.resume }),
      folder: agent.folder,
    },
    (event, line) => {
      projection.add(event);
      breadcrumbs.push(...rounds.add(event, line));
    },
  );
  if (!used) return;
  await addMissingBreadcrumbs(log.sessions, session, [...breadcrumbs, ...rounds.end()]);
  const entries = projection.end().map((entry) => finish(parts, session, entry));
  const { records } = log.sessions;
  await changeSession(log.sessions, session, async (record) => {
    const body = await record.body();
    const phase = [...projectedPhases(body)].find(({ origin }) => origin === agent.transcript);
    // Without its phase nothing of it is there.
    const items = phase ? parseItems(body.slice(phase.start)) : [];
    const missing = missingEntries(entries, items);
    if (missing.length > 0) await record.append(missing, { at });
    const { frontmatter } = await records.read(session);
    await record.set(redactRecord(countedOnce(frontmatter, agent, projection.engineSession, used), log.redact));
    return record.save();
  });
}

function titleOf({ beads }: WorkParts, { task }: LiveAgent): string {
  const title = beads.store.find(task)?.title;
  return title === undefined ? task : phaseTitle({ id: task, title });
}

/** The cost of an agent is counted with the note that its transcript is: never twice. */
function countedOnce(
  { engine_sessions = [], cost_usd = 0 }: { engine_sessions?: unknown[]; cost_usd?: number },
  { engine, folder, transcript }: LiveAgent,
  session: string | undefined,
  { usage }: Pick<AgentEnd, "usage">,
): Record<string, unknown> {
  const known = engine_sessions as Partial<EngineSession>[];
  if (session === undefined || known.some((each) => each.transcript === transcript)) return {};
  const others = known.filter((each) => each.session !== session);
  return {
    engine_sessions: [...others, { engine, session, folder, transcript }],
    ...(usage?.cost_usd !== undefined && { cost_usd: addCost(cost_usd, usage.cost_usd) }),
  };
}

function finish({ log }: WorkParts, session: string, entry: LogEntry): Redacted<LogEntry> {
  const { redact, ids, sessions } = log;
  return finishEntry(entry, { redact, ids, keep: (text) => sessions.records.keep(session, text) });
}

/** The entries that a live driver would have written of one agent. */
class TranscriptEntries {
  readonly #entries = new AgentEntries();
  readonly #fold = createFold();
  readonly #written: LogEntry[];
  #countedTokens = 0;
  engineSession: string | undefined;

  constructor({ engine, transcript }: LiveAgent, title: string, at: string) {
    this.#written = [{ kind: "phase", title, agent: engine, opened: { at, transcript } }];
  }

  add(event: Parameters<AgentEntries["add"]>[0]): void {
    if (event.type === "init") this.engineSession = event.engine_session ?? this.engineSession;
    this.#fold.add(event);
    this.#written.push(...this.#entries.add(event));
    if (event.type === "result") this.#countTokens();
  }

  end(): LogEntry[] {
    this.#countTokens();
    return [...this.#written, ...this.#entries.end()];
  }

  #countTokens(): void {
    const { usage } = this.#fold.state();
    const tokens = (usage ? usage.input_tokens + usage.output_tokens : 0) - this.#countedTokens;
    if (tokens <= 0) return;
    this.#countedTokens += tokens;
    const { model } = this.#entries;
    this.#written.push({ kind: "tokens", tokens, ...(model !== undefined && { model }) });
  }
}
