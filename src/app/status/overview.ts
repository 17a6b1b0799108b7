import type { AnyInboxItem } from "../../contract/api/inbox.ts";
import type { ListedSession } from "../../contract/api/session-list.ts";
import type { Overview, RunningRun } from "../../contract/api/status.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import type { VisibleStatus } from "../../contract/run.ts";
import { endStatuses, type SessionKind } from "../../contract/session-values.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { visibleStatus } from "../run/read.ts";
import { inboxItems, type InboxParts } from "../inbox/items.ts";
import { toListedSession } from "../session/list.ts";
import type { SessionParts } from "../session/parts.ts";
import type { ClaimedRun } from "../run/session/questions.ts";
import type { Bead } from "../../contract/bead.ts";

interface StatusParts extends InboxParts {
  /** By the claims on their beads, so that the cost does not grow with all that ever ran. */
  unfinishedRuns: () => ClaimedRun[];
  readyBeads: () => Promise<Bead[]>;
}

const dayMs = 24 * 3_600_000;
/** Sessions that were started before that are not looked through, so that the cost does not grow with all that there are. */
const recentMs = 30 * dayMs;
/** When nothing ended lately, the last ones are looked for among so many of the newest sessions. */
const newestSessions = 40;
const mostEnded = 10;
const fewEnded = 3;

/** How things stand: what needs a person, what runs, what is ready, what ended. */
export async function overview(parts: StatusParts): Promise<Overview> {
  const { sessions } = parts;
  const needs_you = await inboxItems(parts);
  const ready = await parts.readyBeads();
  const running = await runningWork(parts);
  const since = new Date(sessions.clock.now() - recentMs).toISOString();
  const [recent, newest, unreadable] = await sessions.projections.ask(
    (index) => [index.newest({ since }, Infinity), index.newest({}, newestSessions), index.unreadable()] as const,
  );
  return {
    needs_you,
    running,
    ready,
    ...endedSessions(sessions, recent, newest),
    paused: await pausedSessions(sessions, recent, needs_you),
    unreadable: unreadable.map(({ path, reason }) => ({ path, reason })),
  };
}

async function runningWork({ sessions, unfinishedRuns }: StatusParts): Promise<Overview["running"]> {
  const runs = unfinishedRuns()
    .filter(({ state }) => state.status === "running" && state.stopped === null)
    .map(({ state, isDriven }) => runningRun(state, visibleStatus(state.status, isDriven)));
  return [...runs, ...(await activeSessions(sessions))].sort((a, b) => (a.started < b.started ? 1 : -1));
}

/** Sessions at work. Turns wait for a person between two commands, and their open plans are in the inbox. A run stands for its own, and a session for those below it. */
async function activeSessions({ records, projections }: SessionParts): Promise<ListedSession[]> {
  const topIds = records.openIds().filter((id) => records.glance(id)?.parent == null);
  const rows = await projections.ask((index) => topIds.map((id) => index.get(id)));
  return rows
    .filter((row): row is SessionRow => row?.status === "active" && isWork(row.kind) && row.kind !== "turns")
    .map((row) => toListedSession(row, records));
}

/** Sessions that a person may want to go on with; runs and work that need one are in the inbox. */
async function pausedSessions(
  { records }: SessionParts,
  recent: SessionRow[],
  needsYou: AnyInboxItem[],
): Promise<ListedSession[]> {
  const paused: ListedSession[] = [];
  const told = new Set(needsYou.flatMap((item) => ("next" in item ? [item.session_id] : [])));
  for (const row of recent) {
    if (told.has(row.session_id)) continue;
    if (row.status !== "paused" || !isWork(row.kind) || (await hasParent(records, row.session_id))) continue;
    paused.push(toListedSession(row, records));
  }
  return paused;
}

/** Sessions that this machine never wrote to have no state, and are read. */
async function hasParent(records: SessionParts["records"], id: string): Promise<boolean> {
  const glance = records.glance(id);
  if (glance) return glance.parent !== null;
  try {
    return (await records.read(id)).frontmatter.parent !== undefined;
  } catch (error) {
    // It went, or was damaged, since the index was made; showing it tells why.
    if (error instanceof ClewError) return false;
    throw error;
  }
}

function endedSessions(
  { records, clock }: SessionParts,
  recent: SessionRow[],
  newest: SessionRow[],
): Pick<Overview, "ended" | "ended_since_yesterday"> {
  const since = startOfYesterday(clock.now());
  const recentlyEnded = endedOf(recent).filter(({ ended: at }) => Date.parse(at!) >= since);
  const rows = recentlyEnded.length > 0 ? recentlyEnded.slice(0, mostEnded) : endedOf(newest).slice(0, fewEnded);
  return { ended: rows.map((row) => toListedSession(row, records)), ended_since_yesterday: recentlyEnded.length };
}

/** Those that have ended, the last one first. */
function endedOf(rows: SessionRow[]): SessionRow[] {
  return rows
    .filter(({ status, ended: at }) => at !== null && endStatuses.some((each) => each === status))
    .sort((a, b) => (a.ended! < b.ended! ? 1 : -1));
}

function isWork(kind: SessionKind): boolean {
  return kind !== "run";
}

function runningRun(state: RunSnapshot, status: VisibleStatus): RunningRun {
  const { id, bead_id, bead_title, grimoire, progress, started, updated, worktree, current } = state;
  const step = current?.path ?? null;
  return { kind: "run", id, bead_id, bead_title, grimoire, status, progress, started, updated, worktree, step };
}

/** As a person counts days, in the time zone of the machine. */
function startOfYesterday(nowMs: number): number {
  return new Date(nowMs - dayMs).setHours(0, 0, 0, 0);
}
