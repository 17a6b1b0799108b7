import type { WorkClaims } from "../work/ports.ts";
import type { Check, CheckResult } from "./examine.ts";

/** What the doctor says of work sessions: the beads that they hold, and what a crash left of claims. */
export function workChecks(claims: () => Promise<WorkClaims>): Check[] {
  return [{ name: "work sessions", look: async () => lookAtClaims(await claims()) }];
}

function lookAtClaims(claims: WorkClaims): CheckResult[] {
  const outcomes = claims.abandoned().map(({ bead, session }): CheckResult => ({
    status: "warning",
    message: `the claim on ${bead} is nobody's: the work session ${session} is over`,
    repair: async () => {
      await claims.release(bead, session);
      return `let go of ${bead}`;
    },
  }));
  if (outcomes.length > 0) return outcomes;
  const { size } = claims.held();
  return [{ status: "ok", message: `${size} ${size === 1 ? "bead" : "beads"} held by them` }];
}
