import { notAPerson, otherWorkHint } from "../run/authority.ts";
import type { Caller } from "../run/ports.ts";

/** Work is begun by a person, or in a talk that a person leads. Throws for the agent of a work session, and for a run's step. */
export function refuseNestedWork({ steps }: Caller): void {
  const worker = steps.find(({ agent }) => agent !== "talk");
  if (!worker) return;
  throw notAPerson(worker, "it begins no work and goes on with none", otherWorkHint);
}

/** An agent asks for the tasks of its own work session, and gives results for these alone. A person may, too. */
export function refuseForeignCookie({ steps }: Caller, cookie: string): void {
  const [first] = steps;
  if (!first || steps.some(({ agent, run }) => agent === "work" && run === cookie)) return;
  const own = steps.find(({ agent }) => agent === "work")?.run;
  throw notAPerson(
    first,
    `${cookie} is not the cookie of its own work session`,
    own == null ? "the agents of that session answer for it" : `clew ai sync --cookie ${own}`,
  );
}
