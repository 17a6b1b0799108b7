import type { Check, Outcome } from "./doctor.ts";
import type { Runs } from "./runs.ts";

/** What the doctor says of runs: journals that cannot be read, and runs that nobody drives. */
export function runChecks(runs: () => Promise<Runs>): Check[] {
  return [
    {
      name: "runs",
      look: async () => {
        const { runs: listed, unreadable } = (await runs()).list();
        const outcomes: Outcome[] = unreadable.map(({ id, reason }) => ({
          status: "problem",
          message: `${id}: ${reason}`,
          hint: "mend that line, or move the journal away",
        }));
        for (const { id, status } of listed) {
          if (status !== "interrupted") continue;
          outcomes.push({ status: "warning", message: `${id} was interrupted`, hint: `clew run resume ${id} goes on` });
        }
        return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `${listed.length} in order` }];
      },
    },
  ];
}
