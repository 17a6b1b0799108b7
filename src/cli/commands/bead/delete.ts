import type { Command } from "commander";
import type { Dependants } from "../../../contract/api/bead-shapes.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

interface DeleteOptions {
  reason?: string;
  yes?: boolean;
  json?: boolean;
}

export function defineDelete(bead: Command, context: CliContext): void {
  bead
    .command("delete")
    .description("Deletes a bead. Its line stays as a tombstone, so that copies elsewhere learn of it.")
    .argument("<id>", "the bead")
    .option("-r, --reason <text>", "why")
    .option("-y, --yes", "do not ask when others depend on it")
    .option("--json", "print JSON: {bead, released}, the tombstone and the ids of beads that are ready now")
    .addHelpText(
      "after",
      `
Nobody waits for a bead that is not there: where others depend on it, it is asked about, with those that would be ready
then; without a terminal it is refused unless --yes is given. A bead whose run is not over is not deleted. In a database of
bd or br, only that program deletes.

Example:
  $ clew bead delete a3f -r "Made twice"`,
    )
    .action(async (name: string, { reason, yes = false, json }: DeleteOptions) => {
      const { id } = await context.api.beads.find({ bead: name });
      if (!yes) await confirmRelease(context, id, await context.api.beads.dependants({ bead: id }));
      const deleted = await context.api.beads.delete({ bead: id, reason });
      const { released } = deleted;
      const more = released.length === 0 ? "" : `; ready now: ${listed(released)}`;
      await print(context, json, deleted, () => cleanLine(`Deleted ${id}${more}`));
    });
}

/** Whoever waits for it would begin as if it were done: a person must want that. */
async function confirmRelease(context: CliContext, id: string, { depending, released }: Dependants): Promise<void> {
  if (depending.length === 0) return;
  const depend = `${listed(depending)} ${depending.length === 1 ? "depends" : "depend"} on ${id}`;
  const words = `${depend}; ready without it: ${released.length === 0 ? "none" : listed(released)}`;
  if (!context.interactive) {
    throw new ClewError("usage", words, `clew bead delete ${id} --yes deletes it all the same`);
  }
  if (await context.confirm(cleanLine(`${words}. Delete ${id}?`))) return;
  throw new ClewError("interrupted", "nothing was deleted", `clew bead dep tree ${id} shows what hangs on it`);
}

const mostIds = 10;

function listed(ids: string[]): string {
  const more = ids.length > mostIds ? ` and ${ids.length - mostIds} more` : "";
  return ids.slice(0, mostIds).join(", ") + more;
}
