import type { InboxItem, RunItem } from "../contract/session-row.ts";
import { ClewError } from "../contract/errors.ts";
import type { JournalLine, RunSnapshot } from "../contract/run-journal.ts";
import { isForSession, SessionEntries } from "../run/session-entries.ts";
import { waitQuestionId } from "../run/wait-question-id.ts";
import { isOver } from "./run-reading.ts";
import { RunRecord, type RunRecordParts } from "./run-record.ts";
import { stoppedItem } from "./stopped-item.ts";
import { possibleRuns, type RunSession, type RunSessions, type RunWait } from "./run-sessions.ts";

interface Parts extends RunRecordParts {
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

/** While a run is driven, its session follows at most this often. */
const writeEveryMs = 250;
/** A session that cannot be written is tried again after this long: the journal is then read from its beginning. */
const retryEveryMs = 10_000;

/** The sessions of runs on their journals: the journal is the truth, and the session follows. */
export class ProjectedRunSessions implements RunSessions {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  isTaken(id: string): boolean {
    return this.#parts.records.exists(id);
  }

  async begin(runId: string): Promise<void> {
    try {
      await new RunRecord(this.#parts, runId).make();
    } catch {
      // Whoever follows the run tries again, and tells what is wrong.
    }
  }

  of(runId: string): RunSession {
    return new FollowedRun(this.#parts, runId);
  }

  idOf(runId: string): string | undefined {
    return this.#parts.records.exists(runId) ? runId : undefined;
  }

  /**
   * Before somebody reads: the session of a run that nobody drives any more takes in what a crash kept from it.
   * `driven`: somebody does, and writes to it. `none`: it is no run's session, or cannot be brought up to date.
   */
  async fold(sessionId: string): Promise<"settled" | "driven" | "none"> {
    const { store } = this.#parts;
    if (possibleRuns(sessionId).some((runId) => store.exists(runId) && store.isDriven(runId))) return "driven";
    try {
      const runId = await this.#runOf(sessionId);
      if (runId === undefined) return "none";
      await new RunRecord(this.#parts, runId).settle();
      return "settled";
    } catch (error) {
      warnOf(this.#parts, sessionId, error);
      return "none";
    }
  }

  /** The run whose session it is, while it is not over. */
  async openRunOf(sessionId: string): Promise<string | undefined> {
    const runId = await this.#runOf(sessionId);
    if (runId === undefined) return undefined;
    return isOver(this.#parts.store.state(runId)) ? undefined : runId;
  }

  /** The run that asks this question by waiting; undefined when it is somebody else's question. */
  async waitOf({ session_id, id }: InboxItem): Promise<RunWait | undefined> {
    const runId = await this.#runOf(session_id);
    if (runId === undefined) return undefined;
    const { waiting, last_event, status } = this.#parts.store.state(runId);
    if (!waiting || waitQuestionId(runId, last_event) !== id) return undefined;
    const { actions, takes_changes: takesChanges = false } = waiting;
    return { runId, isReview: status === "pending_merge", takesChanges, actions };
  }

  /** Runs that a person stopped, and that no scheduler goes on with. */
  stopped(): RunItem[] {
    const { store } = this.#parts;
    return store.recentIds().flatMap((runId): RunItem[] => {
      const state = stateOf(store, runId);
      return state && !store.isDriven(runId) ? stoppedItem(state) : [];
    });
  }

  /** Questions of waiting runs that are not among the known ones: somebody took them out of the session. */
  async waits(known: ReadonlySet<string>): Promise<InboxItem[]> {
    const { store } = this.#parts;
    const items: InboxItem[] = [];
    for (const runId of store.recentIds()) {
      const state = stateOf(store, runId);
      if (!state?.waiting || known.has(waitQuestionId(runId, state.last_event))) continue;
      const session_id = (await new RunRecord(this.#parts, runId).find()) ?? runId;
      const item = waitItem(store, runId, session_id);
      if (item) items.push(item);
    }
    return items;
  }

  /** The run whose session it is. Most are none's, which is seen without reading them. */
  async #runOf(sessionId: string): Promise<string | undefined> {
    const { store, records } = this.#parts;
    if (!possibleRuns(sessionId).some((runId) => store.exists(runId)) || !records.exists(sessionId)) return undefined;
    const { run } = (await records.read(sessionId)).frontmatter;
    return typeof run === "string" && store.exists(run) ? run : undefined;
  }
}

/** Undefined for a run whose journal cannot be read: `clew run list` names it. */
function stateOf(store: Parts["store"], runId: string): RunSnapshot | undefined {
  try {
    return store.state(runId);
  } catch (error) {
    if (error instanceof ClewError) return undefined;
    throw error;
  }
}

/** The question that a run asks by waiting, as its session would have it. */
function waitItem(store: Parts["store"], runId: string, session_id: string): InboxItem | undefined {
  let item: InboxItem | undefined;
  const entries = new SessionEntries(runId);
  let phase = "";
  for (const { line } of store.lines(runId)) {
    for (const entry of entries.add(line)) {
      if (entry.kind === "phase") phase = entry.title;
      const isQuestion = entry.kind === "decision_needed" || entry.kind === "approval_required";
      if (isQuestion && entry.id !== undefined) {
        item = { id: entry.id, session_id, kind: entry.kind, text: entry.text, phase };
      }
    }
  }
  return item;
}

class FollowedRun implements RunSession {
  readonly #parts: Parts;
  readonly #runId: string;
  readonly #record: RunRecord;
  #pauseMs = 0;
  #isTouched = false;
  #isBehind = false;
  #hasWarned = false;
  #callOff: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: Parts, runId: string) {
    this.#parts = parts;
    this.#runId = runId;
    this.#record = new RunRecord(parts, runId);
  }

  add(line: JournalLine): void {
    if (!isForSession(line)) return;
    this.#record.add(line);
    this.#isTouched = this.#isBehind = true;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#callOff?.();
    await this.#writing;
    this.#callOff?.();
    if (this.#isTouched) await this.#try(() => this.#record.settle());
  }

  #schedule(): void {
    if (this.#callOff || this.#writing) return;
    this.#callOff = this.#parts.later(this.#pauseMs, () => {
      this.#callOff = undefined;
      this.#writing = this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isBehind = false;
    const isWritten = await this.#try(() => this.#record.write());
    this.#pauseMs = isWritten ? writeEveryMs : retryEveryMs;
    this.#writing = undefined;
    if (this.#isBehind) this.#schedule();
  }

  /** A run does not fail for its record, but somebody should know. */
  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.#hasWarned) warnOf(this.#parts, this.#runId, error);
      this.#hasWarned = true;
      return false;
    }
  }
}

function warnOf({ warn }: Parts, runId: string, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  warn(`the session of run ${runId} cannot be written: ${why}; the run has it all, and the session follows later`);
}
