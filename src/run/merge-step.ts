import { defaultMergeStrategy } from "../contract/grimoire-values.ts";
import type { MergeStep } from "../contract/grimoire.ts";
import type { Outcome, StepAddress, StepResult, StepWork, VerifyInput } from "../contract/run.ts";
import type { MergeOffer, Proof } from "../contract/merge-offer.ts";
import type { ScriptInput } from "../contract/step-input.ts";
import type { DurablePort } from "./durable-port.ts";
import { failureHalt, type Halt } from "./halts.ts";
import { changesResult, hasMoved, isConflict, offerOf } from "./merge-results.ts";
import { asProof, shortScript, type Proofs } from "./proofs.ts";
import type { RenderedWork } from "./render-work.ts";

/** How often a merge without review is tried again because heads moved; each time another merge has landed. */
const maxUnreviewedAttempts = 50;

type MergeWork = Omit<StepWork, "input" | "warnings">;

/** What one attempt at a merge needs beside its step. */
export interface MergeAttempt {
  work: MergeWork;
  /** Why the last attempt did not land. */
  lastFailure: StepResult | undefined;
  /** The command of `verify`, rendered; may throw a TemplateError. */
  renderVerify: () => RenderedWork<ScriptInput>;
  verifyTimeoutMs: number;
  proofs: Proofs;
}

/** One attempt at a merge: what it would bring, the proof, a person's verdict, the landing. */
export async function offerAndLand(port: DurablePort, step: MergeStep, attempt: MergeAttempt): Promise<Outcome | Halt> {
  const { work, lastFailure } = attempt;
  const { strategy = defaultMergeStrategy, require_review } = step;
  const preparation = await port.prepare({ ...work, warnings: [], input: { kind: "offer", strategy } });
  if (preparation.kind !== "done") return preparation;
  const { result } = preparation;
  if (!result.success) return isConflict(result) ? { ...failureHalt(result), reason: "conflict" } : failureHalt(result);
  const computedOffer = offerOf(result);
  if (!computedOffer) return port.perform({ ...work, warnings: [], input: { kind: "merge", offer: null } });

  const proven = await prove(port, step, computedOffer, attempt);
  if (!Array.isArray(proven)) return proven;
  const offer = { ...computedOffer, proven };
  // Without review, heads that moved meanwhile are no reason to ask a person; any other failure is.
  const mustAsk = require_review || (lastFailure && !(hasMoved(lastFailure) && work.attempt <= maxUnreviewedAttempts));
  if (mustAsk) {
    const message = lastFailure?.error ?? "the changes wait for a person's approval";
    const verdict = await review(port, step, work, { message, offer, diff: result });
    if (verdict) return verdict;
  }
  return port.perform({ ...work, warnings: [], input: { kind: "merge", offer } });
}

/** What is known to succeed on the offered tree; anything else is why it cannot be offered. */
async function prove(
  port: DurablePort,
  { verify }: MergeStep,
  { head, commit, tree }: MergeOffer,
  { work, lastFailure, renderVerify, verifyTimeoutMs, proofs }: MergeAttempt,
): Promise<Proof[] | Outcome | Halt> {
  const evidence = proofs.evidenceFor(tree);
  if (verify === undefined) return evidence;
  const { input: command, warnings } = renderVerify();
  const knownProof = proofs.on(tree, command);
  if (knownProof) return [knownProof, ...evidence];
  const input: VerifyInput = { ...command, kind: "verify", head, commit };
  const verification = await port.prepare({ ...work, timeout_ms: verifyTimeoutMs, warnings, input });
  if (verification.kind !== "done") return verification;
  const { result } = verification;
  // Once, the merge is computed anew; what changes the worktree again and again would never come to an end.
  if (hasMoved(result) && !(lastFailure && hasMoved(lastFailure))) return verification;
  if (!result.success) {
    const halt = failureHalt(result);
    return {
      ...halt,
      reason: "verify",
      message: `verify on the merged tree: ${shortScript(command)}: ${halt.message}`,
    };
  }
  const proof = asProof("verify", work, command, result);
  proofs.add(tree, command, proof);
  return [proof, ...evidence];
}

/** The proof that an attempt which came to its end has given: a run that is interpreted anew knows as much as it did live. */
export function recallProof(
  port: DurablePort,
  address: StepAddress,
  proofs: Proofs,
  commandOf: () => ScriptInput,
): void {
  const [offered, verified] = [port.recall(address, "offer"), port.recall(address, "verify")];
  if (offered?.kind !== "done" || verified?.kind !== "done" || !verified.result.success) return;
  const offer = offerOf(offered.result);
  const command = offer && commandOf();
  if (offer && command) proofs.add(offer.tree, command, asProof("verify", address, command, verified.result));
}

/** Undefined lets the merge be landed. */
async function review(
  port: DurablePort,
  { on_changes }: MergeStep,
  { path, attempt }: MergeWork,
  { message, offer, diff: { output } }: { message: string; offer: MergeOffer; diff: StepResult },
): Promise<Outcome | Halt | undefined> {
  const signal = await port.wait({
    path,
    attempt,
    status: "pending_merge",
    reason: "review",
    message,
    result: { success: true, output },
    merge: offer,
    ...(on_changes === "continue" && { takesChanges: true }),
    iterations: [],
  });
  switch (signal.kind) {
    case "cancel":
      return { kind: "cancelled" };
    case "changes": {
      const result = changesResult(signal.text);
      await port.record({ kind: "merge_started", path, attempt, offer });
      await port.record({ kind: "completed", path, attempt, result });
      return { kind: "done", result };
    }
    case "reject": {
      const error = `the changes were rejected${signal.reason === "" ? "" : `: ${signal.reason}`}`;
      const result = { success: false, output, error };
      return { status: "blocked", reason: "rejected", message: error, result, merge: offer };
    }
    default:
      return undefined;
  }
}
