import type { Bead } from "../contract/bead.ts";
import type { RunSnapshot } from "../contract/run-journal.ts";
import type { ShownStatus } from "../contract/run.ts";
import { endStatuses, type SessionKind } from "../contract/session.ts";
import type { SessionRow } from "../contract/session-row.ts";
import type { Beads } from "./beads.ts";
import { inboxItems, type AnyItem, type AskingBeads, type WaitingRuns } from "./inbox-items.ts";
import { listedSession, type ListedSession } from "./lists.ts";
import type { Clock, SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";
import type { ListedRun } from "./run-reading.ts";
import type { Sessions } from "./sessions.ts";

/** A run that is not over and waits for nobody; `interrupted` when nothing drives it. */
export interface RunningRun extends ListedRun {
  kind: "run";
  /** The step at hand: `fix-loop[2]/fix`. */
  step: string | null;
}

/** What there is to know in the morning. */
export interface Overview {
  needs_you: AnyItem[];
  running: (RunningRun | ListedSession)[];
  ready: Bead[];
  /** Since yesterday, or the last few; newest first. */
  ended: ListedSession[];
}

export interface UnfinishedRun {
  state: RunSnapshot;
  isDriven: boolean;
}

interface Parts {
  records: SessionRecords;
  sessions: Pick<Sessions, "foldOpen">;
  projections: Projections;
  waiting: WaitingRuns;
  /** By the claims on their beads, so that the cost does not grow with all that ever ran. */
  unfinishedRuns: () => UnfinishedRun[];
  asking: AskingBeads;
  beads: () => Promise<Pick<Beads, "ready">>;
  clock: Clock;
}

/** Among so many of the newest sessions, those that ended are looked for. */
const newestSessions = 40;
const mostEnded = 10;
const fewEnded = 3;
const dayMs = 24 * 3_600_000;

/** How things stand: what needs a person, what runs, what is ready, what ended. */
export class Status {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async overview(): Promise<Overview> {
    const { sessions, projections, waiting, asking, beads } = this.#parts;
    const needs_you = await inboxItems({ sessions, projections, runs: waiting, beads: asking });
    const { beads: ready } = (await beads()).ready();
    return { needs_you, running: await this.#running(), ready, ended: await this.#ended() };
  }

  async #running(): Promise<Overview["running"]> {
    const runs = this.#parts
      .unfinishedRuns()
      .filter(({ state }) => state.status === "running" && state.stopped === null)
      .map(({ state, isDriven }) => runningRun(state, isDriven ? "running" : "interrupted"));
    return [...runs, ...(await this.#activeSessions())].sort((a, b) => (a.started < b.started ? 1 : -1));
  }

  /** Sessions at work. A run stands for its own, and a session for those below it. */
  async #activeSessions(): Promise<ListedSession[]> {
    const { records, projections } = this.#parts;
    const own = records.openIds().filter((id) => records.glance(id)?.parent == null);
    const rows = await projections.ask((index) => own.map((id) => index.get(id)));
    const isWork = (kind: SessionKind): boolean => kind !== "run";
    return rows
      .filter((row): row is SessionRow => row?.status === "active" && isWork(row.kind))
      .map((row) => listedSession(row, records));
  }

  async #ended(): Promise<ListedSession[]> {
    const { projections, records, clock } = this.#parts;
    const rows = await projections.ask((index) => index.newest({}, newestSessions));
    const ended = rows
      .filter(({ status, ended: at }) => at !== null && endStatuses.some((each) => each === status))
      .sort((a, b) => (a.ended! < b.ended! ? 1 : -1));
    const since = startOfYesterday(clock.now());
    const recent = ended.filter(({ ended: at }) => Date.parse(at!) >= since).slice(0, mostEnded);
    return (recent.length > 0 ? recent : ended.slice(0, fewEnded)).map((row) => listedSession(row, records));
  }
}

function runningRun(state: RunSnapshot, status: ShownStatus): RunningRun {
  const { id, bead_id, bead_title, grimoire, progress, started, updated, worktree, current } = state;
  const step = current?.path ?? null;
  return { kind: "run", id, bead_id, bead_title, grimoire, status, progress, started, updated, worktree, step };
}

/** As a person counts days, in the time zone of the machine. */
function startOfYesterday(nowMs: number): number {
  return new Date(nowMs - dayMs).setHours(0, 0, 0, 0);
}
