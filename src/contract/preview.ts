import type { Bead } from "./bead.ts";
import type { ErrorCode } from "./errors.ts";
import type { Json, MergeStrategy, Shell, StepType } from "./grimoire.ts";
import type { Problem } from "./problem.ts";

/** What a run of a grimoire over a bead would do. What only exists in the run stands as `⟨name: type⟩`. */
export interface Preview {
  grimoire: { name: string; description: string; origin: string; file: string; timeout_ms: number };
  bead: Bead | null;
  /** Why this grimoire, when the bead decided. */
  because?: string;
  variables: Record<string, Json>;
  steps: PreviewStep[];
  problems: Problem[];
  /** Why a run would not begin, though nothing need be wrong with the files. */
  refusals: Refusal[];
  /** No problem is an error, and nothing would be refused. */
  valid: boolean;
}

/** What a command would be refused with. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  hint: string;
}

export interface PreviewStep {
  /** The names of the steps around it and its own: `quality-loop/run-tests`. */
  path: string;
  name: string;
  type: StepType;
  /** `value` is null when only the run can tell, and missing when something is wrong with it. */
  when?: { source: boolean | string; value?: boolean | null };
  /** What the step gets: a variable, how it is written, and its value. */
  input?: { name: string; source: Json; value: Json }[];
  /** The variables that the step sets. */
  sets: string[];
  timeout_ms?: number;
  on_fail?: string;
  on_success?: string;
  /** What left its process group goes on after it. */
  detach?: true;
  spell?: { name: string | null; origin: string; file: string; partials: string[] };
  agent?: string;
  engine?: string;
  model?: string;
  prompt?: string;
  shell?: Shell;
  /** The command with every value escaped for its place. */
  command?: string;
  max_iterations?: number;
  on_max_iterations?: string;
  require_review?: boolean;
  strategy?: MergeStrategy;
  /** The command that is run on the merged tree, with every value escaped for its place. */
  verify?: string;
  on_changes?: string;
  steps?: PreviewStep[];
}
