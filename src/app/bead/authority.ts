import { beadsBelow } from "../../bead/below.ts";
import { notAPerson } from "../run/authority.ts";
import type { CallerStep } from "../run/ports.ts";
import type { BeadParts } from "./parts.ts";

type Parts = Pick<BeadParts, "store" | "held" | "caller">;

/**
 * A result makes a task done, and no command of its agent does. Throws when an agent or step would give a bead a status that a
 * work session holds, or that stands below what its own session works on.
 */
export async function refuseAgentStatus(parts: Parts, ids: readonly string[]): Promise<void> {
  const { steps } = await parts.caller();
  const [first] = steps;
  if (!first) return;
  const held = await parts.held();
  for (const id of ids) {
    const worker = ownWorker(parts, held, steps, id);
    const session = held.get(id);
    if (worker) throw notAPerson(worker, `the status of ${id} follows from its results`, resultHint(worker));
    if (session !== undefined)
      throw notAPerson(first, `the work session ${session} holds ${id}`, "leave it to the agent that works on it");
  }
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
