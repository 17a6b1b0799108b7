import type { InboxItem, RunItem } from "../../../contract/api/inbox.ts";
import type { RunSnapshot } from "../../../contract/run-snapshot.ts";
import type { Signal } from "../../../contract/run.ts";
import { candidateIds } from "../../session/owner.ts";
import type { SessionRecords } from "../../session/ports.ts";

interface AskingRuns {
  records: Pick<SessionRecords, "exists" | "read">;
  isRun: (id: string) => boolean;
  /** What a person said to the run and nobody has taken up yet; undefined when there is nothing. */
  pendingSignal: (runId: string) => Signal["kind"] | undefined;
}

/** Names the run that asks, and tells of an answer that it has not taken up yet. */
export async function describeQuestion(item: InboxItem, runs: AskingRuns): Promise<InboxItem> {
  const asking = await runOfSession(runs, item.session_id);
  const pending = asking && runs.pendingSignal(asking.run);
  if (!pending) return { ...item, ...asking };
  const answered = `answered with ${pending}, which waits until the run goes on: clew run resume ${asking.run}`;
  return { ...item, ...asking, text: `${item.text}\n${answered}` };
}

/** The run whose session this is, and its bead. Most are none's, which is seen without reading them. */
async function runOfSession(
  { records, isRun }: Pick<AskingRuns, "records" | "isRun">,
  sessionId: string,
): Promise<{ run: string; bead: string } | undefined> {
  if (!candidateIds(sessionId).some(isRun) || !records.exists(sessionId)) return undefined;
  const { run, bead } = (await records.read(sessionId)).frontmatter;
  return typeof run === "string" && typeof bead === "string" ? { run, bead } : undefined;
}

/** A run that a person stopped, for the inbox; `state` is that of one that nobody drives. */
export function stoppedItem({ id, status, stopped, current, bead_id }: RunSnapshot): RunItem[] {
  if (!stopped || status !== "running") return [];
  const where = current ? ` at ${current.path}` : "";
  const text = `${id} was stopped by a person${where} (${stopped.reason})\nclew run resume ${id}\nclew run cancel ${id}`;
  return [{ id: `stopped:${id}`, kind: "decision_needed", text, run: id, bead: bead_id }];
}
