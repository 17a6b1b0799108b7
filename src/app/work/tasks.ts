import { beadsBelow, completedBy, readyBelow } from "../../bead/below.ts";
import { withStatus } from "../../bead/change-status.ts";
import { isUnfinished } from "../../bead/readiness.ts";
import type { Bead } from "../../contract/bead.ts";
import { beadStatusOf } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { WorkState } from "../../contract/work-state.ts";
import type { AgentResult } from "../../contract/engine.ts";
import { parseItems } from "../../session/parse.ts";
import { logEntry } from "../session/log.ts";
import { heldByWork } from "./work-holder.ts";
import type { WorkParts } from "./parts.ts";

/** The tasks of one work session: which comes next, and what becomes of a bead. */

type Parts = Pick<WorkParts, "beads" | "claims" | "log">;

/** The first task of a session: the bead itself, or the most urgent one that is ready below it. */
export function firstTask(parts: Parts, bead: Bead, session: string | undefined): Bead | undefined {
  const all = parts.beads.store.all().beads;
  const below = beadsBelow(all, bead.id);
  if (below.length === 0) return bead;
  // What this session has begun goes on first.
  const isOurs = ({ id }: Bead): boolean => session !== undefined && parts.claims.holder(id)?.session === session;
  const begun = below.find((each) => isUnfinished(each) && isOurs(each));
  return begun ?? readyBelow(all, bead.id, nowMs(parts), parts.claims.held())[0];
}

/** Claims a bead for the session, and says on it that it is in progress. */
export async function beginTask(parts: Parts, bead: Bead, session: string): Promise<void> {
  const { store } = parts.beads;
  await parts.claims.claim(bead.id, {
    refuse(holder) {
      if (holder !== undefined && holder !== session) throw heldByWork(bead.id, holder);
      refuseRun(parts, bead);
    },
    start: async () => session,
    statusNow: () => statusOf(parts, bead.id),
    take: (note) => store.claim(bead.id, note),
  });
  await setStatus(parts, bead.id, "in_progress");
}

/** Closes a task, and the beads above it that contain nothing unfinished any more. May be repeated after a crash. */
export async function closeTask(
  parts: Parts,
  id: string,
  session: string,
  result: AgentResult,
): Promise<{ completed: string[] }> {
  const { store } = parts.beads;
  await setStatus(parts, id, "closed", result.summary);
  const completed = completedBy(store.all().beads, id).map((each) => each.id);
  for (const above of completed) await setStatus(parts, above, "closed", "all that it contains is done");
  const text = `${id}: ${result.summary}`;
  if (!(await isLogged(parts, session, text))) await logEntry(parts.log, session, { kind: "task_complete", text });
  await parts.claims.release(id, session);
  return { completed };
}

async function isLogged({ log }: Parts, session: string, text: string): Promise<boolean> {
  const { text: file, bodyStart } = await log.sessions.records.read(session);
  const wanted = log.redact(text).trim();
  return parseItems(file.slice(bodyStart)).some((item) => item.kind === "task_complete" && item.text.trim() === wanted);
}

/**
 * Takes up the most urgent of what is ready below the session's own bead; null when nothing is. A bead that is closed is done
 * with, also when its agent made others below it meanwhile.
 */
export async function nextTask(parts: Parts, state: WorkState): Promise<Bead | null> {
  const { store } = parts.beads;
  const own = store.find(state.bead);
  if (own && !isUnfinished(own)) return null;
  const all = store.all().beads;
  const task = readyBelow(all, state.bead, nowMs(parts), parts.claims.held())[0] ?? null;
  if (task) await beginTask(parts, task, state.session);
  return task;
}

/** What the phase of a task is called. */
export function phaseTitle({ id, title }: Pick<Bead, "id" | "title">): string {
  return `${title} (${id})`;
}

/** How much of a bead is not done: what it contains, or the bead itself. One that is not there now may come back, unless it was deleted. */
export function countOpen({ beads: { store } }: Pick<WorkParts, "beads">, id: string): number {
  const bead = store.find(id);
  if (!bead) return store.deleted().has(id) ? 0 : 1;
  if (!isUnfinished(bead)) return 0;
  const below = beadsBelow(store.all().beads, id);
  return (below.length > 0 ? below : [bead]).filter(isUnfinished).length;
}

/** The beads below one that are not done. */
export function openBelow({ beads: { store } }: Pick<WorkParts, "beads">, id: string): string[] {
  return beadsBelow(store.all().beads, id).flatMap((each) => (isUnfinished(each) ? [each.id] : []));
}

/**
 * The session stops: its beads are what they were before, and stay claimed. What a person made of one stays. Returns whether all
 * beads are there: one that is away, as in a stash, is given back when it has come back.
 */
export async function giveBackTasks(parts: Parts, ids: readonly string[], session: string): Promise<boolean> {
  const { store } = parts.beads;
  let isWhole = true;
  for (const id of new Set(ids)) {
    const claim = parts.claims.holder(id);
    if (claim?.session !== session) continue;
    if (statusOf(parts, id) === "in_progress") await setStatus(parts, id, claim.before);
    if (!store.find(id) && !store.deleted().has(id)) isWhole = false;
  }
  return isWhole;
}

async function setStatus(parts: Parts, id: string, status: string, reason?: string): Promise<void> {
  const now = new Date(nowMs(parts)).toISOString();
  const redact = parts.log.redact;
  await parts.beads.store.change(id, (bead) => {
    if (beadStatusOf(bead) === "closed") return bead;
    return withStatus(bead, status, { now, ...(reason !== undefined && { reason: redact(reason) }) });
  });
}

function nowMs({ log }: Parts): number {
  return log.sessions.clock.now();
}

export function refuseRun({ beads }: Pick<WorkParts, "beads">, bead: Bead): void {
  const run = beads.unfinishedRunOf(bead.id);
  if (!run) return;
  throw new ClewError(
    "not_possible_now",
    `run ${run.id} of ${bead.id} is ${run.status}, not over`,
    `clew run ${bead.id} goes on with it; clew run cancel ${run.id} gives it up`,
  );
}

/** A bead as a person may have changed it meanwhile. */
export function statusOf({ beads }: Pick<WorkParts, "beads">, id: string): string {
  const bead = beads.store.find(id);
  return bead ? beadStatusOf(bead) : "open";
}
