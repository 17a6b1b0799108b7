import type * as z from "zod/mini";
import type { Json } from "./json.ts";
import type { MergeStrategy } from "./grimoire-values.ts";
import type { MergeOffer } from "./merge-offer.ts";
import type { iterationSummaries, signal, StoredResult, usage } from "./run-fields.ts";
import type { ScriptInput, StepInput } from "./step-input.ts";

/** One bead worked on by one grimoire, as data. The journal that keeps it is in `run-journal.ts`. */

/** Ids become paths, so they are these letters and nothing else. */
export const runIdPattern = /^[a-z0-9][a-z0-9-]{0,127}$/;

/** How an engine may be called. */
export const engineName = /^[a-z0-9][a-z0-9-]{0,63}$/;

export const runStatuses = ["running", "blocked", "failed", "pending_merge", "completed", "cancelled"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** How a run looks from outside. `interrupted`: it should be running, but no process drives it. */
export const visibleStatuses = [...runStatuses, "interrupted"] as const;
export type VisibleStatus = (typeof visibleStatuses)[number];

/** A run that ended longer ago is listed only when all are asked for, and its state is read from its journal again. */
export const recentRunMs = 7 * 24 * 3_600_000;

/** Where the making of the worktree stands among the paths of steps; no step can be called so. */
export const worktreePath = ".worktree";

/** Where in a run something happens: `quality-loop[2]/run-tests`, and which try it is. */
export interface StepAddress {
  path: string;
  attempt: number;
}

/** `quality-loop[2]/run-tests#1` */
export function addressText({ path, attempt }: StepAddress): string {
  return `${path}#${attempt}`;
}

/** A step's work as data, for the handler of its kind. Nothing in it is code, so that any machine can do it. */
export interface StepWork<Input extends WorkInput = WorkInput> extends StepAddress {
  input: Input;
  /** What a person should know of it, such as a value that stands in a script as it is. */
  warnings: string[];
  timeout_ms: number;
  /** The loops around it that have a limit of their own, outermost first. */
  within: TimedScope[];
}

/** A loop that may take only so long, over all its iterations. */
export interface TimedScope extends StepAddress {
  timeout_ms: number;
}

export type WorkInput = StepInput | Preparation;
export type WorkKind = WorkInput["kind"];

/**
 * What has to be there before a step can be: the worktree before the first; a merge's offer, and its proof, before it is
 * reviewed.
 */
export type Preparation = { kind: "worktree" } | { kind: "offer"; strategy: MergeStrategy } | VerifyInput;

/** A script that is run on the merged tree. */
export interface VerifyInput extends Omit<ScriptInput, "kind"> {
  kind: "verify";
  /** The run's own branch at the offer, and the offered commit. */
  head: string;
  commit: string;
}

/** A change of the target, from one commit to another. */
export interface Landing {
  target: string;
  from: string;
  to: string;
}

/** An offered commit that is checked out in the run's worktree, in place of the run's branch. */
export interface Verification {
  branch: string;
  head: string;
  commit: string;
}

/** What a step gave, with all outputs at hand. */
export interface StepResult extends Omit<StoredResult, "output" | `${string}_file`> {
  output: Json;
}

export type Usage = z.infer<typeof usage>;

/** What is unknown of one counts as nothing in the sum; what is unknown of both stays unknown. */
export function addUsage(sum: Usage, more: Usage): Usage {
  const cached = addKnown(sum.cached_input_tokens, more.cached_input_tokens);
  const written = addKnown(sum.cache_write_tokens, more.cache_write_tokens);
  const cost = addKnown(sum.cost_usd, more.cost_usd);
  return {
    input_tokens: sum.input_tokens + more.input_tokens,
    ...(cached !== undefined && { cached_input_tokens: cached }),
    ...(written !== undefined && { cache_write_tokens: written }),
    output_tokens: sum.output_tokens + more.output_tokens,
    ...(cost !== undefined && { cost_usd: cost }),
  };
}

function addKnown(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one + other;
}

/** What became of a step's attempt. */
export type Outcome =
  | { kind: "done"; result: StepResult }
  | { kind: "skipped" }
  /** It was ended because something around it took too long: a loop, or (`null`) the run. `given` until then. */
  | { kind: "timeout"; scope: StepAddress | null; given?: StepResult }
  | { kind: "cancelled" };

export type WaitReason =
  | "step_failed"
  | "evidence"
  | "max_iterations"
  | "cannot_render"
  | "bad_condition"
  | "rejected"
  | "timeout"
  | "permission"
  | "limit"
  | "worktree"
  | "conflict"
  | "verify"
  | "review";

/** A run stops here until a person says how it goes on. */
export interface Wait extends StepAddress {
  status: "blocked" | "failed" | "pending_merge";
  reason: WaitReason;
  message: string;
  /** What helps a person to decide: what the step gave, or the last one that failed. */
  result?: StepResult;
  /** The step that gave it, when it is another one. */
  resultOf?: StepAddress;
  /** What a person is asked to approve, or has rejected. */
  merge?: MergeOffer;
  /** Whether a person may ask for changes: the loop around then begins its next iteration. */
  takesChanges?: boolean;
  /** What each iteration of the innermost loop around it came to. */
  iterations: IterationSummary[];
}

export type IterationSummary = z.infer<typeof iterationSummaries>[number];
export type Signal = z.infer<typeof signal>;

/** Why a drive is aborted when a person wanted that: the journal says so, and no scheduler takes the run up again. */
export class StoppedByPerson {
  readonly reason: "Ctrl-C" | `SIG${string}`;

  constructor(reason: StoppedByPerson["reason"]) {
    this.reason = reason;
  }
}
