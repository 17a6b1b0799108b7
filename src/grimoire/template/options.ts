import type { Place } from "../../contract/problem.ts";
import type { RenderBudget } from "./budget.ts";
import type { TemplateLimits } from "./limits.ts";
import type { Data } from "./unknown.ts";

/** Which branch is taken when an unknown value decides. */
export type Branches = "both" | "first" | "second";

/** Renders a partial. What it throws goes through unchanged. Pass the budget on to share it with what is included. */
export type Include = (name: string, data: Data, place: Place, budget: RenderBudget) => string;

export interface ExecuteOptions {
  include?: Include;
  /** "both" when absent. */
  branches?: Branches;
  limits?: Partial<TemplateLimits>;
  /** Instead of `limits`: what the template that includes this one may still cost. */
  budget?: RenderBudget;
}
