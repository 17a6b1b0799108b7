import { ClewError } from "../../../contract/errors.ts";
import type { CliContext } from "../../context.ts";

/**
 * Asks the person before a bead gets a status that its run, which is not over, would not give it. Tells whether the bead gets it
 * despite that run. Throws when they refuse, and where there is no terminal to ask on; a script says --yes.
 */
export async function confirmStatus(
  { api, input }: Pick<CliContext, "api" | "input">,
  beadId: string,
  { status, yes }: { status: string; yes: boolean },
): Promise<boolean> {
  if (yes) return true;
  const { run } = await api.beads.runAgainst({ bead: beadId, status });
  if (!run) return false;
  const message = `run ${run.id} of ${beadId} is ${run.status}, not over`;
  const cancel = `clew run cancel ${run.id} gives it up`;
  if (!input.interactive) {
    throw new ClewError("not_possible_now", message, `${cancel}; with --yes the bead is ${status} and the run stays`);
  }
  if (await input.confirm(`${message}. Make ${beadId} ${status} all the same?`)) return true;
  throw new ClewError("interrupted", "nothing was changed", cancel);
}
