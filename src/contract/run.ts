import type { Bead } from "./bead.ts";
import type { Grimoire, Json, MergeStrategy, Shell } from "./grimoire.ts";

/** One bead worked on by one grimoire, as data. The journal that keeps it is in `run-journal.ts`. */

/** Ids become paths, so they are these letters and nothing else. */
export const runIdPattern = /^[a-z0-9][a-z0-9-]{0,127}$/;

/** How an engine may be called. */
export const engineName = /^[a-z0-9][a-z0-9-]{0,63}$/;

export const runStatuses = ["running", "blocked", "failed", "pending_merge", "completed", "cancelled"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** How a run looks from outside: `interrupted` is one that should be running, and that nobody drives. */
export type ShownStatus = RunStatus | "interrupted";

/** What a run was started with. Nothing that is edited later changes it. */
export interface PinnedRun {
  bead: Bead;
  grimoire: Grimoire;
  /** Where the grimoire was found, for people. */
  grimoire_file: string;
  /** Spells and partials, unrendered, by their file's name. */
  spells: Record<string, PinnedSpell>;
  variables: Record<string, Json>;
  settings: RunSettings;
  /** The commit and the branch of the main checkout at the start; null when there is none. */
  base: string | null;
  target: string | null;
  /** Where the steps work. */
  folder: string;
  /** How that folder is made, before the first step; absent when it is there already. */
  worktree?: PinnedWorktree;
  /** The steps of other runs that it was begun below, as their marks name them; absent when a person began it. */
  begun_below?: string[];
}

/** A checkout of the run's own, on a branch of its own. */
export interface PinnedWorktree {
  branch: string;
  /** A command line that gets the checkout ready for work. */
  setup: string | null;
  /** What is copied into it from the main checkout: paths and globs. */
  copy: string[];
  /** Whether it stays when the run is cancelled. */
  keep_cancelled: boolean;
}

/** Where the making of the worktree stands among the paths of steps; no step can be called so. */
export const worktreePath = ".worktree";

export interface PinnedSpell {
  origin: string;
  file: string;
  text: string;
}

/** The settings that a run goes by, as they were when it started. */
export interface RunSettings {
  /** The engine of agent steps that name none. */
  engine: string;
  timeouts_ms: { run: number; agent: number; script: number };
  /** The file that the engine `scripted` plays; null when none was named. */
  script: string | null;
}

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
export interface Task<Input extends TaskInput = TaskInput> extends StepAddress {
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

export type StepInput = AgentInput | ScriptInput | MergeInput;
export type TaskInput = StepInput | Preparation;
export type TaskKind = TaskInput["kind"];

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

export interface AgentInput {
  kind: "agent";
  prompt: string;
  engine: string;
  agent?: string;
  model?: string;
  /** Whether what left its process group may go on after it. */
  detach?: true;
}

export interface ScriptInput {
  kind: "script";
  shell: Shell;
  /** Values stand in it as references to shell variables. */
  script: string;
  /** The values by the name of their variable; they never become part of the script's text. */
  values: Record<string, string>;
  /** Whether what left its process group may go on after it. */
  detach?: true;
  /** Whether the result says on which tree it ran: a later merge verifies with the same command. */
  records_tree?: true;
}

export interface MergeInput {
  kind: "merge";
  /** What is to be landed; null when the run's branch holds nothing that the target does not. */
  offer: MergeOffer | null;
}

/** What a merge would bring into its target. An approval is bound to all of it: if a part moved, it is asked for again. */
export interface MergeOffer {
  /** The branch that is merged into. */
  target: string;
  /** The commit of the run's own branch, and that of the target, when this was computed. */
  head: string;
  target_head: string;
  /** The merged tree, and the commit that holds it and waits to be landed. */
  tree: string;
  commit: string;
  /** What changes in the target; at most `maxOfferedFiles`, the totals count all. */
  files: ChangedFile[];
  totals: { files: number; added: number; deleted: number };
  /** Changed paths below `.beads/` and `.clew/`, which steer Clew itself. */
  flagged: string[];
  /** Absent in journals of before there was a choice: a merge of target and head. */
  strategy?: MergeStrategy;
  /** The parents of the commit. */
  parents?: string[];
  /** What was seen to succeed on this very tree; absent while nobody looked. */
  proven?: Proof[];
}

/** A command that succeeded on a tree: the merge's own `verify`, or a step that ran the same. */
export interface Proof extends StepAddress {
  by: "verify" | "step";
  command: string;
  /** The last line that it printed, which often tells how much was tested. */
  said: string;
}

export const maxOfferedFiles = 500;

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

export interface ChangedFile {
  path: string;
  /** Where it stood before it was renamed. */
  from?: string;
  change: "added" | "deleted" | "modified" | "renamed" | "type";
  /** Lines; null for what is not text. */
  added: number | null;
  deleted: number | null;
}

/** What a step gave. */
export interface StepResult {
  success: boolean;
  /** A script's stdout without its last newline, an agent's result object. */
  output: Json;
  exit_code?: number;
  summary?: string;
  outputs?: Json;
  /** A script's stderr. */
  stderr?: string;
  /** Why it failed, in words for a person. */
  error?: string;
  usage?: Usage;
  /** The tree that stood in the worktree before and after it; absent when it was not recorded, or changed meanwhile. */
  tree?: string;
}

/** What a model was paid for; a cost only where the engine tells it. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cost_usd?: number;
}

/** The cost is what those engines told that tell one. */
export function addUsage(sum: Usage, more: Usage): Usage {
  const cost = more.cost_usd === undefined ? sum.cost_usd : (sum.cost_usd ?? 0) + more.cost_usd;
  return {
    input_tokens: sum.input_tokens + more.input_tokens,
    output_tokens: sum.output_tokens + more.output_tokens,
    ...(cost !== undefined && { cost_usd: cost }),
  };
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
  | "max_iterations"
  | "cannot_render"
  | "bad_condition"
  | "rejected"
  | "timeout"
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

export interface IterationSummary {
  path: string;
  iteration: number;
  summary: string;
}

/** What a person says to a run. */
export type Signal =
  | { kind: "retry"; inputs: Record<string, Json> }
  | { kind: "approve" }
  | { kind: "reject"; reason: string }
  | { kind: "changes"; text: string }
  | { kind: "cancel" };

/** Who gave a signal, as far as the system tells. */
export interface SignalOrigin {
  user: string;
  /** Such as /dev/pts/3; null when it was not given at a terminal. */
  terminal: string | null;
  pid: number;
  /** What was called: `clew run approve`. */
  command: string;
  at: string;
}

/** Why a drive is aborted when a person wanted that: the journal says so, and no scheduler takes the run up again. */
export class StoppedByPerson {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
