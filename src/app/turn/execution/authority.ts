import { notAPerson } from "../../run/authority.ts";
import type { Caller } from "../../run/ports.ts";

/** What a plan does is approved by a person. Throws for what a step, an agent or a plan's own command started. */
export function refuseDeedFromStep({ steps: [step] }: Caller, deed: "executed" | "undone"): void {
  if (step) throw notAPerson(step, `no plan is ${deed} from there`);
}
