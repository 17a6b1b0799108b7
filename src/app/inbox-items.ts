import type { Signal } from "../contract/run.ts";
import type { InboxItem, RefusedItem, RunItem } from "../contract/session-row.ts";
import type { Projections } from "./projections.ts";
import type { Sessions } from "./sessions.ts";

/** What is in the inbox: a session's question, a bead that could not be started, or a run that a person stopped. */
export type AnyItem = InboxItem | RefusedItem | RunItem;

/** The runs behind questions, for whoever only looks. */
export interface WaitingRuns {
  /** What a person said to the run and nobody has taken up yet; undefined when there is nothing. */
  pendingSignal(runId: string): Promise<Signal["kind"] | undefined>;
  /** The items of runs that wait for a person; whatever stands in their sessions. */
  waits(known: ReadonlySet<string>): Promise<InboxItem[]>;
  /** Runs that a person stopped. */
  stopped(): Promise<RunItem[]>;
}

/** The beads behind questions. */
export interface AskingBeads {
  /** The run whose session this is, and its bead. */
  runOf(sessionId: string): Promise<{ run: string; bead: string } | undefined>;
  /** Beads that the scheduler could not start. */
  refused(): Promise<RefusedItem[]>;
}

interface Parts {
  sessions: Pick<Sessions, "foldOpen">;
  projections: Pick<Projections, "refresh" | "ask">;
  runs: WaitingRuns;
  beads: AskingBeads;
}

/** All that waits for a person. */
export async function inboxItems({ sessions, projections, runs, beads }: Parts): Promise<AnyItem[]> {
  await sessions.foldOpen();
  await projections.refresh();
  const items = await projections.ask((index) => index.inbox());
  // Anybody may log an answer to a run's question; the run waits all the same.
  const waits = await runs.waits(new Set(items.map(({ id }) => id)));
  const asked: AnyItem[] = [];
  for (const item of [...items, ...waits]) asked.push(await withRun(item, runs, beads));
  return [...asked, ...(await runs.stopped()), ...(await beads.refused())];
}

/** Names the run that asks, and tells of an answer that it has not taken up yet. */
async function withRun(item: InboxItem, runs: WaitingRuns, beads: AskingBeads): Promise<InboxItem> {
  const asking = await beads.runOf(item.session_id);
  const pending = asking && (await runs.pendingSignal(asking.run));
  if (!pending) return { ...item, ...asking };
  const answered = `answered with ${pending}, which waits until the run goes on: clew run resume ${asking.run}`;
  return { ...item, ...asking, text: `${item.text}\n${answered}` };
}
