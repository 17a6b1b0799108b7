import { beadStatusOf } from "../../contract/bead.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { RoundBreadcrumbs, type RoundBreadcrumb } from "../../engine/round-breadcrumbs.ts";
import { lastAgent, takeInTranscript, type DeadAgent } from "../agent/take-in.ts";
import { changeSession } from "../session/change.ts";
import { endSession, pauseRecord } from "../session/lifecycle.ts";
import type { WorkParts } from "./parts.ts";
import { stateOf } from "./recover-state.ts";
import { closeTask, countOpen, giveBackTasks, phaseTitle } from "./tasks.ts";
import { addMissingBreadcrumbs } from "./trail.ts";
import { workLabel } from "./work-agent.ts";

/**
 * Mends what a dead driver left: its agent is ended, what the transcript has and the session has not is written, and session and
 * bead are what they would be after a pause. Does nothing when there is nothing to mend. The caller holds the session's lock.
 */
export async function mendWork(parts: WorkParts, session: string): Promise<void> {
  const state = await stateOf(parts, session);
  if (!state) return;
  const { agent } = state;
  const isLeftActive = parts.log.sessions.records.glance(session)?.status === "active";
  const leftAtMs = parts.log.sessions.records.glance(session)?.activeAtMs ?? parts.log.sessions.clock.now();
  if (agent) await parts.place.endSurvivors(agent.process);
  // Where nothing tells of the agent any more, its transcript does.
  const dead: DeadWorkAgent | undefined = agent ?? (isLeftActive ? await lastWorkAgent(parts, session) : undefined);
  if (dead) await takeIn(parts, state, dead);
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
  const isWhole = await giveBackTasks(parts, tasksOf(state), session);
  // What is away now is given back by a later look.
  await parts.states.change(session, ({ agent: _, ...rest }) => (isWhole ? { ...rest, current: null } : rest));
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

type DeadWorkAgent = DeadAgent & { task?: string };

function lastWorkAgent({ log, place }: WorkParts, session: string): Promise<DeadAgent | undefined> {
  return lastAgent(log, session, { label: workLabel, folder: place.folder, level: "work" });
}

function tasksOf({ bead, current }: WorkState): string[] {
  return current === null ? [bead] : [current, bead];
}

/** Writes what the transcript has and the session has not. */
async function takeIn(parts: WorkParts, { session, current, bead }: WorkState, agent: DeadWorkAgent): Promise<void> {
  const { log } = parts;
  const { agents } = parts.agents;
  const { engine, folder, transcript, model, resume, task = current ?? bead } = agent;
  const prices = await agents.prices();
  let nowMs = 0;
  const rounds = new RoundBreadcrumbs({
    engine,
    prompt: undefined,
    now: () => nowMs,
    model,
    engineSession: resume,
    transcriptFile: transcript,
    folder,
    task: () => task,
    prices: () => prices,
  });
  const breadcrumbs: RoundBreadcrumb[] = [];
  const onEvent = (event: EngineEvent, line: number, atMs: number): void => {
    nowMs = atMs;
    breadcrumbs.push(...rounds.add(event, line));
  };
  const source = { session, phase: titleOf(parts, task), task: current ?? task, onEvent };
  const isThere = await takeInTranscript({ log, agents }, source, agent);
  if (isThere) await addMissingBreadcrumbs(log.sessions, session, [...breadcrumbs, ...rounds.end()]);
}

function titleOf({ beads }: WorkParts, task: string): string {
  const title = beads.store.find(task)?.title;
  return title === undefined ? task : phaseTitle({ id: task, title });
}
