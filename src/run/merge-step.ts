import type { MergeStep } from "../contract/grimoire.ts";
import type { MergeOffer, Outcome, StepResult, Task } from "../contract/run.ts";
import type { DurablePort } from "./durable-port.ts";
import { failed, type Halt } from "./halts.ts";
import { hasMoved, isConflict, offerOf } from "./merge-results.ts";

/** So often, a merge that nobody reviews is tried again because heads moved; each time another's merge has landed. */
const mostUnasked = 50;

/** One attempt at a merge: what it would bring, a person's word, the landing. `missed` is why the last one did not land. */
export async function offerAndLand(
  port: DurablePort,
  { require_review }: MergeStep,
  task: Omit<Task, "input">,
  missed: StepResult | undefined,
): Promise<Outcome | Halt> {
  const prepared = await port.prepare({ ...task, input: { kind: "offer" } });
  if (prepared.kind !== "done") return prepared;
  const { result } = prepared;
  if (!result.success) return isConflict(result) ? { ...failed(result), reason: "conflict" } : failed(result);
  const offer = offerOf(result);
  // Where nobody has to look, heads that moved meanwhile are no reason to ask; anything else is.
  const mustAsk = require_review || (missed && !(hasMoved(missed) && task.attempt <= mostUnasked));
  if (offer && mustAsk) {
    const message = missed?.error ?? "the changes wait for a person's approval";
    const refusal = await review(port, task, { message, offer, diff: result });
    if (refusal) return refusal;
  }
  return port.perform({ ...task, input: { kind: "merge", offer } });
}

async function review(
  port: DurablePort,
  { path, attempt }: Omit<Task, "input">,
  { message, offer, diff: { output } }: { message: string; offer: MergeOffer; diff: StepResult },
): Promise<Outcome | Halt | undefined> {
  const said = await port.wait({
    path,
    attempt,
    status: "pending_merge",
    reason: "review",
    message,
    result: { success: true, output },
    merge: offer,
    iterations: [],
  });
  if (said.kind === "cancel") return { kind: "cancelled" };
  if (said.kind !== "reject") return undefined;
  const why = said.reason === "" ? "" : `: ${said.reason}`;
  return { status: "blocked", reason: "rejected", message: `the changes were rejected${why}` };
}
