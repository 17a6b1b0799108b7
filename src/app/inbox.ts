import { ClewError } from "../contract/errors.ts";
import type { Signal } from "../contract/run.ts";
import type { InboxItem, RefusedItem, RunItem } from "../contract/session-row.ts";
import { inboxItems, type AnyItem, type AskingBeads, type WaitingRuns } from "./inbox-items.ts";
import type { Log } from "./log.ts";
import type { Projections } from "./projections.ts";
import type { RunWait } from "./run-sessions.ts";
import type { Sessions } from "./sessions.ts";

/** The runs behind questions. */
export interface AskingRuns extends WaitingRuns {
  /** The run that asks this question by waiting; undefined when it is somebody else's question. */
  waitOf(item: InboxItem): Promise<RunWait | undefined>;
  signal(runId: string, signal: Signal): Promise<unknown>;
}

/** What waits for a person, over all sessions and runs. */
export class Inbox {
  private readonly sessions: Sessions;
  private readonly projections: Projections;
  private readonly log: Log;
  private readonly runs: AskingRuns;
  private readonly beads: AskingBeads;

  constructor(sessions: Sessions, projections: Projections, log: Log, runs: AskingRuns, beads: AskingBeads) {
    this.sessions = sessions;
    this.projections = projections;
    this.log = log;
    this.runs = runs;
    this.beads = beads;
  }

  items(): Promise<AnyItem[]> {
    const { sessions, projections, runs, beads } = this;
    return inboxItems({ sessions, projections, runs, beads });
  }

  async answer(id: string, text: string): Promise<{ item: InboxItem; run?: { id: string; kind: Signal["kind"] } }> {
    const items = await this.items();
    const item = items.find((each) => each.id === id);
    if (!item) {
      const waiting = items
        .map((each) => each.id)
        .slice(0, 10)
        .join(", ");
      throw new ClewError(
        "unknown_inbox_item",
        `nothing in the inbox has the id ${JSON.stringify(id)}`,
        waiting === "" ? "nothing waits for an answer" : `these wait: ${waiting}`,
      );
    }
    if (!("session_id" in item)) throw unanswerable(item);
    if (text.trim() === "") throw new ClewError("invalid_input", "the answer is empty", `clew inbox answer ${id} TEXT`);
    const wait = await this.runs.waitOf(item);
    if (!wait) {
      await this.log.answer(item.session_id, id, text);
      return { item };
    }
    const signal = signalOf(wait, text);
    await this.runs.signal(wait.runId, signal);
    return { item, run: { id: wait.runId, kind: signal.kind } };
  }
}

/** Nothing waits there that could take an answer. */
function unanswerable(item: RefusedItem | RunItem): ClewError {
  const way =
    "run" in item
      ? `it is gone on with by clew run resume ${item.run}, and given up by clew run cancel ${item.run}`
      : `no answer mends that: once it is mended, the daemon or clew run ${item.bead} tries again`;
  return new ClewError("not_possible_now", item.text.split("\n")[0]!, way);
}

/** A run is moved by signals alone; its question leaves the inbox when the run takes the signal up. */
function signalOf({ runId, isReview, takesChanges, actions }: RunWait, text: string): Signal {
  const answer = text.trim();
  const [word = ""] = answer.toLowerCase().split(/\s/, 1);
  const rest = answer.slice(word.length).trim();
  if (word === "changes" && isReview && takesChanges) return { kind: "changes", text: rest };
  if (word === "reject" && isReview) return { kind: "reject", reason: rest };
  if (rest === "") {
    if (word === "cancel") return { kind: "cancel" };
    if (word === "approve" && isReview) return { kind: "approve" };
    if (word === "retry" && !isReview) return { kind: "retry", inputs: {} };
  }
  const review = takesChanges ? "approve, changes TEXT, reject TEXT or cancel" : "approve, reject TEXT or cancel";
  throw new ClewError(
    "invalid_input",
    `run ${runId} waits here, and it goes on by ${isReview ? review : "retry or cancel"} alone`,
    `answer with that, or: ${actions.join("; ")}`,
  );
}
