import { beadStatusOf } from "../../contract/bead.ts";
import type { LiveAgent, WorkState } from "../../contract/work-state.ts";
import { AgentRecording, type AgentWrite } from "../../engine/agent-recording.ts";
import { RoundBreadcrumbs, type RoundBreadcrumb } from "../../engine/round-breadcrumbs.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { engineSessionsIn, withEngineSession, type EngineSession } from "../../session/engine-sessions.ts";
import { parseItems } from "../../session/parse.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import { CostShares, uncountedCost } from "../agent/cost-shares.ts";
import { changeSession } from "../session/change.ts";
import { endSession, pauseRecord } from "../session/lifecycle.ts";
import type { LogParts } from "../session/log.ts";
import { projectedPhases } from "../session/missing-entries.ts";
import { mendSubagents } from "./mend-subagents.ts";
import type { WorkParts } from "./parts.ts";
import { stateOf } from "./recover-state.ts";
import { closeTask, countOpen, giveBackTasks, phaseTitle } from "./tasks.ts";
import { addMissingBreadcrumbs } from "./trail.ts";
import { writeEntries, writeMissing } from "./write-missing.ts";

/**
 * Mends what a dead driver left: its agent is ended, what the transcript has and the session has not is written, and session and
 * bead are what they would be after a pause. Does nothing when there is nothing to mend. The caller holds the session's lock.
 */
export async function mendWork(parts: WorkParts, session: string): Promise<void> {
  const state = await stateOf(parts, session);
  if (!state) return;
  const { agent } = state;
  const leftAtMs = parts.log.sessions.records.glance(session)?.activeAtMs ?? parts.log.sessions.clock.now();
  if (agent) {
    await parts.place.endSurvivors(agent.process);
    await takeIn(parts, state, agent);
  }
  const { status } = parts.log.sessions.records.glance(session) ?? { status: "active" };
  if (await isCompleted(parts, state)) return complete(parts, state);
  const isActive = status === "active";
  if (isActive) {
    await changeSession(parts.log.sessions, session, async (record) => {
      if (record.glance.status === "active") await pauseRecord(record, leftAtMs);
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
async function takeIn(parts: WorkParts, { session, current }: WorkState, agent: LiveAgent): Promise<void> {
  const { log } = parts;
  const at = new Date(transcriptStart(agent.transcript)?.atMs ?? log.sessions.clock.now()).toISOString();
  const recording = new AgentRecording();
  const writes: AgentWrite[] = [];
  const prices = await parts.agents.agents.prices();
  let nowMs = 0;
  let engineSession = agent.resume;
  const rounds = new RoundBreadcrumbs({
    engine: agent.engine,
    prompt: undefined,
    now: () => nowMs,
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
    (event, line, atMs) => {
      nowMs = atMs;
      if (event.type === "init") engineSession = event.engine_session ?? engineSession;
      writes.push(...recording.add(event));
      breadcrumbs.push(...rounds.add(event, line));
    },
  );
  if (!used) return;
  await addMissingBreadcrumbs(log.sessions, session, [...breadcrumbs, ...rounds.end()]);
  const origin = { at, transcript: agent.transcript };
  const task = current ?? agent.task;
  const { engine, folder } = agent;
  const all = [...writes, ...recording.end()];
  const subagents = await mendSubagents(log, { session, engine, task, origin }, all);
  const phase = { kind: "phase" as const, title: titleOf(parts, agent), agent: engine, opened: origin };
  await writeMissing(log, session, agent.transcript, [phase, ...subagents.own], at);
  await subagents.settle();
  if (engineSession !== undefined) await noteEngineSession(log, session, { engine, session: engineSession, folder });
  await addMissingCost(log, session, agent, used.usage?.cost_usd);
}

function titleOf({ beads }: WorkParts, { task }: LiveAgent): string {
  const title = beads.store.find(task)?.title;
  return title === undefined ? task : phaseTitle({ id: task, title });
}

async function noteEngineSession(log: LogParts, id: string, engineSession: EngineSession): Promise<void> {
  const { frontmatter } = await log.sessions.records.read(id);
  const engine_sessions = withEngineSession(engineSessionsIn(frontmatter), engineSession);
  await changeSession(log.sessions, id, async (record) => {
    await record.set(redactRecord({ engine_sessions }, log.redact));
    return record.save();
  });
}

/** What the entries of the agent's phases lack of its cost. */
async function addMissingCost(
  log: LogParts,
  id: string,
  agent: LiveAgent,
  totalUsd: number | undefined,
): Promise<void> {
  if (totalUsd === undefined) return;
  const before = await uncountedCost(log.sessions, id);
  const { text, bodyStart } = await log.sessions.records.read(id);
  const body = text.slice(bodyStart);
  const phase = [...projectedPhases(body)].find(({ origin }) => origin === agent.transcript);
  const items = parseItems(body.slice(phase?.start ?? 0)).filter((item) => item.kind === "tokens");
  const countedUsd = items.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
  const costs = new CostShares(agent.engine, countedUsd);
  for (const { task = agent.task, tokens } of items) costs.used(task, tokens);
  const entries = costs.take(totalUsd);
  if (entries.length > 0) await writeEntries(log, id, [...before, ...entries]);
}
