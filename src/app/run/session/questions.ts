import type { AnyInboxItem, InboxItem, RunItem } from "../../../contract/api/inbox.ts";
import type { RunSnapshot } from "../../../contract/run-snapshot.ts";
import type { Signal } from "../../../contract/run.ts";
import { permissionIdPattern } from "../../../contract/permission-values.ts";
import { openQuestionIds } from "../../../run/wait-question-id.ts";
import { candidateIds, type SessionOwner } from "../../session/owner.ts";
import type { SessionRecords } from "../../session/ports.ts";

export interface ClaimedRun {
  state: RunSnapshot;
  isDriven: boolean;
}

interface Parts {
  records: Pick<SessionRecords, "exists" | "read">;
  isRun: (id: string) => boolean;
  unfinishedRuns: () => ClaimedRun[];
  /** The last signal for a run that its driver has not taken up; undefined when there is none. */
  pendingSignal: (runId: string) => Signal["kind"] | undefined;
  /** The questions of waiting runs without those with these ids. May take long to load: called only when there is one. */
  missingQuestions: (knownIds: ReadonlySet<string>) => Promise<InboxItem[]>;
}

/** What runs ask of a person. Reads no journal, unless a question is missing in the session of its run. */
export function runQuestions(parts: Parts): Pick<SessionOwner, "describe" | "waiting"> {
  return {
    describe: (item) => describeQuestion(parts, item),
    async waiting(knownIds) {
      const runs = parts.unfinishedRuns();
      const isMissing = runs.some((run) => openQuestionIds(run.state, run.isDriven).some((id) => !knownIds.has(id)));
      const questions: AnyInboxItem[] = isMissing ? await parts.missingQuestions(knownIds) : [];
      return [...questions, ...runs.flatMap(({ state, isDriven }) => (isDriven ? [] : stoppedItem(state)))];
    },
  };
}

/** Names the run that asks, and tells of an answer that it has not taken up yet. */
async function describeQuestion(parts: Parts, item: InboxItem): Promise<InboxItem | undefined> {
  const asker = await runOfSession(parts, item.session_id);
  if (asker && permissionIdPattern.test(item.id)) {
    const run = parts.unfinishedRuns().find(({ state }) => state.id === asker.run);
    // The session says so only when the run goes on.
    if (!run || !openQuestionIds(run.state, run.isDriven).includes(item.id)) return undefined;
    if (run.isDriven || !parts.pendingSignal(asker.run)) return { ...item, ...asker, kind: "permission" };
  }
  const pending = asker && parts.pendingSignal(asker.run);
  if (!pending) return { ...item, ...asker };
  const remark = `answered with ${pending}, which waits until the run goes on: clew run resume ${asker.run}`;
  return { ...item, ...asker, text: `${item.text}\n${remark}` };
}

/** The run whose session this is, and its bead. Most sessions are of no run, which is seen without reading them. */
async function runOfSession(
  { records, isRun }: Parts,
  sessionId: string,
): Promise<{ run: string; bead: string } | undefined> {
  if (!candidateIds(sessionId).some(isRun) || !records.exists(sessionId)) return undefined;
  const { run, bead } = (await records.read(sessionId)).frontmatter;
  return typeof run === "string" && typeof bead === "string" ? { run, bead } : undefined;
}

/** A run that a person stopped and that no process drives, for the inbox. */
function stoppedItem({ id, status, stopped, current, bead_id }: RunSnapshot): RunItem[] {
  if (!stopped || status !== "running") return [];
  const where = current ? ` at ${current.path}` : "";
  const text = `${id} was stopped by a person${where} (${stopped.reason})\nclew run resume ${id}\nclew run cancel ${id}`;
  return [{ id: `stopped:${id}`, kind: "decision_needed", text, run: id, bead: bead_id }];
}
