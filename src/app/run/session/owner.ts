import { ClewError } from "../../../contract/errors.ts";
import type { InboxItem } from "../../../contract/api/inbox.ts";
import type { RunSnapshot } from "../../../contract/run-snapshot.ts";
import type { Signal } from "../../../contract/run.ts";
import { SessionEntries } from "../../../run/session-entries.ts";
import { pendingAnswer } from "../../../run/signal-rules.ts";
import { openQuestionIds, pendingPermission } from "../../../run/wait-question-id.ts";
import { candidateIds, type SessionOwner, type Upkeep } from "../../session/owner.ts";
import type { SignalRequest } from "../control.ts";
import type { RunStore } from "../ports.ts";
import { isOver } from "../read.ts";
import { runQuestions } from "./questions.ts";
import { cannotBeWritten, RunRecord, type RunRecordParts } from "./run-record.ts";
import { signalOf, type RunWait } from "./signal-of-answer.ts";

export interface RunOwnerParts extends RunRecordParts {
  store: RunRecordParts["store"] & Pick<RunStore, "pendingSignals">;
  /** Leaves a person's signal for a run. */
  signal: (runId: string, signal: Signal, request: SignalRequest) => Promise<{ isDriven: boolean }>;
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

export interface RunSessionOwner extends SessionOwner {
  /** Questions of waiting runs, without those with these ids: a person took them out of the session. */
  missingQuestions(knownIds: ReadonlySet<string>): Promise<InboxItem[]>;
}

/** Runs keep their sessions: the journal is the truth, and a question is answered by a signal. */
export function runSessionOwner(parts: RunOwnerParts): RunSessionOwner {
  const { records, store } = parts;
  const missingQuestions = (knownIds: ReadonlySet<string>): Promise<InboxItem[]> => questionsBeside(parts, knownIds);
  return {
    ...runQuestions({
      records,
      isRun: (id) => store.exists(id),
      unfinishedRuns: () => openStates(store).map((state) => ({ state, isDriven: store.isDriven(state.id) })),
      pendingSignal: (runId) => pendingAnswer(store.pendingSignals(runId)),
      missingQuestions,
    }),
    missingQuestions,
    bringUpToDate: (sessionId) => bringRunUpToDate(parts, sessionId),
    // The session tells what waits in its run, so that the run has to end first.
    async refuseEnd(sessionId) {
      const runId = await openRunOf(parts, sessionId);
      if (runId === undefined) return;
      throw new ClewError(
        "not_possible_now",
        `${sessionId} is the session of a run that is not over`,
        `clew run show ${runId} tells how it stands; clew run cancel ${runId} gives it up`,
      );
    },
    // While a run is not over, its session stands as the run does.
    resume: async (sessionId) => (await openRunOf(parts, sessionId)) !== undefined,
    awaits: async (session_id, id) => (await waitOf(parts, { session_id, id })) !== undefined,
    async answer(item, text) {
      const wait = await waitOf(parts, item);
      if (!wait) return undefined;
      const signal = signalOf(wait, text);
      const { isDriven } = await parts.signal(wait.runId, signal, { command: "clew inbox answer" });
      return { run: { id: wait.runId, kind: signal.kind, is_driven: isDriven } };
    },
  };
}

/** The session of a run that no process drives takes in what a crash kept from it. */
async function bringRunUpToDate(parts: RunOwnerParts, sessionId: string): Promise<Upkeep> {
  const { store, warn } = parts;
  if (candidateIds(sessionId).some((runId) => store.exists(runId) && store.isDriven(runId))) return "at_work";
  try {
    const runId = await runOf(parts, sessionId);
    if (runId === undefined) return "none";
    await new RunRecord(parts, runId).settle();
    return "settled";
  } catch (error) {
    warn(cannotBeWritten(sessionId, error));
    return "none";
  }
}

async function questionsBeside(parts: RunOwnerParts, knownIds: ReadonlySet<string>): Promise<InboxItem[]> {
  const { store } = parts;
  const items: InboxItem[] = [];
  for (const state of openStates(store)) {
    const missingIds = openQuestionIds(state, store.isDriven(state.id)).filter((id) => !knownIds.has(id));
    if (missingIds.length === 0) continue;
    const session_id = (await new RunRecord(parts, state.id).find()) ?? state.id;
    items.push(...questionItems(store, state.id, session_id, missingIds));
  }
  return items;
}

/** The states of runs that are not over, but for those whose journal cannot be read: `clew run list` names them. */
function openStates(store: RunOwnerParts["store"]): RunSnapshot[] {
  return store.openIds().flatMap((runId) => {
    try {
      return [store.state(runId)];
    } catch (error) {
      if (error instanceof ClewError) return [];
      throw error;
    }
  });
}

/** The run that asks this question by waiting; undefined when no run does. */
async function waitOf(
  parts: RunOwnerParts,
  { session_id, id }: Pick<InboxItem, "session_id" | "id">,
): Promise<RunWait | undefined> {
  const runId = await runOf(parts, session_id);
  if (runId === undefined) return undefined;
  const state = parts.store.state(runId);
  if (!openQuestionIds(state, parts.store.isDriven(runId)).includes(id)) return undefined;
  const { waiting, status, permissions = [] } = state;
  const permission = pendingPermission(state) ?? permissions.find((request) => request.id === id);
  const { actions = [], takes_changes: takesChanges = false } = waiting ?? {};
  return { runId, isReview: status === "pending_merge", takesChanges, actions, permission };
}

/** The run whose session it is, while it is not over. */
async function openRunOf(parts: RunOwnerParts, sessionId: string): Promise<string | undefined> {
  const runId = await runOf(parts, sessionId);
  return runId === undefined || isOver(parts.store.state(runId)) ? undefined : runId;
}

/** The run whose session it is. Most sessions are of no run, which is seen without reading them. */
async function runOf({ store, records }: RunOwnerParts, sessionId: string): Promise<string | undefined> {
  if (!candidateIds(sessionId).some((runId) => store.exists(runId)) || !records.exists(sessionId)) return undefined;
  const { run } = (await records.read(sessionId)).frontmatter;
  return typeof run === "string" && store.exists(run) ? run : undefined;
}

/** Those of a run's questions that have these ids, as its session would have them. */
function questionItems(store: RunOwnerParts["store"], runId: string, session_id: string, ids: string[]): InboxItem[] {
  const items: InboxItem[] = [];
  const entries = new SessionEntries(runId);
  let phase = "";
  for (const { line } of store.lines(runId)) {
    for (const entry of entries.add(line)) {
      if (entry.kind === "phase") phase = entry.title;
      const isQuestion = entry.kind === "decision_needed" || entry.kind === "approval_required";
      if (isQuestion && entry.id !== undefined && ids.includes(entry.id)) {
        items.push({ id: entry.id, session_id, kind: entry.kind, text: entry.text, phase });
      }
    }
  }
  return items;
}
