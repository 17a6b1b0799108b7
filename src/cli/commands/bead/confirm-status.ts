import { ClewError } from "../../../contract/errors.ts";
import type { CliContext } from "../../context.ts";

interface Wish {
  status: string;
  yes: boolean;
}

/** A status that the bead's run would not give it is a person's word against the run: they are asked, a script says --yes. */
export async function confirmStatus(context: CliContext, beadId: string, { status, yes }: Wish): Promise<void> {
  if (yes) return;
  const { run } = await context.api.beads.runAgainst({ bead: beadId, status });
  if (!run) return;
  const words = `run ${run.id} of ${beadId} is ${run.status}, not over`;
  const cancel = `clew run cancel ${run.id} gives it up`;
  if (!context.interactive) {
    throw new ClewError("not_possible_now", words, `${cancel}; with --yes the bead is ${status} and the run stays`);
  }
  if (await context.confirm(`${words}. Make ${beadId} ${status} all the same?`)) return;
  throw new ClewError("interrupted", "nothing was changed", cancel);
}
