import { beadsBelow } from "../../bead/below.ts";
import { notAPerson } from "../run/authority.ts";
import type { CallerStep } from "../run/ports.ts";
import type { BeadParts } from "./parts.ts";
import { runAgainst, type BeadRuns } from "./run-against.ts";

type Parts = Pick<BeadParts, "store" | "held" | "caller"> & { runs: BeadRuns };

/** A bead, and the status that it would get. */
interface WantedStatus {
  id: string;
  status: string;
}

/**
 * A result makes a task done, and no command of its agent does; nor does one do what a run that is not over has yet to do.
 * Throws when an agent or step would give a bead a status that a work session holds, that stands below what its own
 * session works on, or that the bead's run would not give it.
 */
export async function refuseAgentStatus(parts: Parts, wanted: readonly WantedStatus[]): Promise<void> {
  const { steps } = await parts.caller();
  const [first] = steps;
  if (!first) return;
  const held = await parts.held();
  for (const { id, status } of wanted) {
    const worker = ownWorker(parts, held, steps, id);
    const session = held.get(id);
    if (worker) throw notAPerson(worker, `the status of ${id} follows from its results`, resultHint(worker));
    if (session !== undefined)
      throw notAPerson(first, `the work session ${session} holds ${id}`, "leave it to the agent that works on it");
    const run = await runAgainst(parts.runs, parts.store, id, status);
    if (run) throw notAPerson(first, `run ${run.id} of ${id} is ${run.status}, not over`, "leave it to its run");
  }
}

/** What was to be done is a person's to forget: an agent closes a bead and says why. Throws when one would delete it. */
export async function refuseAgentDelete({ caller }: Pick<BeadParts, "caller">, id: string): Promise<void> {
  const agent = (await caller()).steps.find((step) => step.agent !== undefined);
  if (agent) throw notAPerson(agent, `it deletes no bead`, `clew bead close ${id} -r REASON closes it`);
}

/** The work agent among these whose session has the bead for its own, or one above it. */
function ownWorker(
  { store }: Parts,
  held: ReadonlyMap<string, string>,
  steps: CallerStep[],
  id: string,
): CallerStep | undefined {
  return steps.find(({ agent, run }) => {
    if (agent !== "work") return false;
    const own = [...held].flatMap(([bead, session]) => (session === run ? [bead] : []));
    return own.includes(id) || own.some((bead) => beadsBelow(store.all().beads, bead).some((each) => each.id === id));
  });
}

function resultHint({ run }: CallerStep): string {
  return `end your work with its result, or give it to clew ai sync --cookie ${run} --result -`;
}
