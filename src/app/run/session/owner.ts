import { ClewError } from "../../../contract/errors.ts";
import type { AnsweredItem, AnyInboxItem, InboxItem, RunItem } from "../../../contract/api/inbox.ts";
import type { RunSnapshot } from "../../../contract/run-snapshot.ts";
import type { Signal } from "../../../contract/run.ts";
import { SessionEntries } from "../../../run/session-entries.ts";
import { waitQuestionId } from "../../../run/wait-question-id.ts";
import { candidateIds, type SessionOwner, type Upkeep } from "../../session/owner.ts";
import type { RunStore } from "../ports.ts";
import { isOver } from "../read.ts";
import { describeQuestion, stoppedItem } from "./questions.ts";
import { cannotBeWritten, RunRecord, type RunRecordParts } from "./record.ts";
import { signalOf, type RunWait } from "./signal-of-answer.ts";

interface Parts extends RunRecordParts {
  store: RunRecordParts["store"] & Pick<RunStore, "pendingSignals">;
  /** Leaves a person's signal for a run. */
  signal: (runId: string, signal: Signal) => Promise<unknown>;
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

/** Runs keep their sessions: the journal is the truth, and a question is answered by a signal. */
export class RunSessionOwner implements SessionOwner {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The session of a run that nobody drives any more takes in what a crash kept from it. */
  async bringUpToDate(sessionId: string): Promise<Upkeep> {
    const { store, warn } = this.#parts;
    if (candidateIds(sessionId).some((runId) => store.exists(runId) && store.isDriven(runId))) return "at_work";
    try {
      const runId = await this.#runOf(sessionId);
      if (runId === undefined) return "none";
      await new RunRecord(this.#parts, runId).settle();
      return "settled";
    } catch (error) {
      warn(cannotBeWritten(sessionId, error));
      return "none";
    }
  }

  /** What waits in a run is told by its session, so that the run goes first. */
  async refuseEnd(sessionId: string): Promise<void> {
    const runId = await this.#openRunOf(sessionId);
    if (runId === undefined) return;
    throw new ClewError(
      "not_possible_now",
      `${sessionId} is the session of a run that is not over`,
      `clew run show ${runId} tells how it stands; clew run cancel ${runId} gives it up`,
    );
  }

  /** While a run is not over, its session stands as the run does. */
  async resume(sessionId: string): Promise<boolean> {
    return (await this.#openRunOf(sessionId)) !== undefined;
  }

  async answer(item: InboxItem, text: string): Promise<Pick<AnsweredItem, "run"> | undefined> {
    const wait = await this.#waitOf(item);
    if (!wait) return undefined;
    const signal = signalOf(wait, text);
    await this.#parts.signal(wait.runId, signal);
    return { run: { id: wait.runId, kind: signal.kind } };
  }

  describe(item: InboxItem): Promise<InboxItem> {
    const { records, store } = this.#parts;
    return describeQuestion(item, {
      records,
      isRun: (id) => store.exists(id),
      pendingSignal: (runId) => store.pendingSignals(runId).at(-1)?.signal.kind,
    });
  }

  async waiting(known: ReadonlySet<string>): Promise<AnyInboxItem[]> {
    return [...(await this.unknownWaits(known)), ...this.#stopped()];
  }

  /** Questions of waiting runs that are not among the known ones: somebody took them out of the session. */
  async unknownWaits(known: ReadonlySet<string>): Promise<InboxItem[]> {
    const { store } = this.#parts;
    const items: InboxItem[] = [];
    for (const runId of store.openIds()) {
      const state = stateOf(store, runId);
      if (!state?.waiting || known.has(waitQuestionId(runId, state.last_event))) continue;
      const session_id = (await new RunRecord(this.#parts, runId).find()) ?? runId;
      const item = waitItem(store, runId, session_id);
      if (item) items.push(item);
    }
    return items;
  }

  /** Runs that a person stopped, and that no scheduler goes on with. */
  #stopped(): RunItem[] {
    const { store } = this.#parts;
    return store.openIds().flatMap((runId): RunItem[] => {
      const state = stateOf(store, runId);
      return state && !store.isDriven(runId) ? stoppedItem(state) : [];
    });
  }

  /** The run that asks this question by waiting; undefined when it is somebody else's question. */
  async #waitOf({ session_id, id }: InboxItem): Promise<RunWait | undefined> {
    const runId = await this.#runOf(session_id);
    if (runId === undefined) return undefined;
    const { waiting, last_event, status } = this.#parts.store.state(runId);
    if (!waiting || waitQuestionId(runId, last_event) !== id) return undefined;
    const { actions, takes_changes: takesChanges = false } = waiting;
    return { runId, isReview: status === "pending_merge", takesChanges, actions };
  }

  /** The run whose session it is, while it is not over. */
  async #openRunOf(sessionId: string): Promise<string | undefined> {
    const runId = await this.#runOf(sessionId);
    if (runId === undefined) return undefined;
    return isOver(this.#parts.store.state(runId)) ? undefined : runId;
  }

  /** The run whose session it is. Most are none's, which is seen without reading them. */
  async #runOf(sessionId: string): Promise<string | undefined> {
    const { store, records } = this.#parts;
    if (!candidateIds(sessionId).some((runId) => store.exists(runId)) || !records.exists(sessionId)) return undefined;
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
