import type { Command } from "commander";
import type { Dependants } from "../../../contract/api/bead-shapes.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext, type Input, type JsonOption } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { listFirst } from "../../../text/list-first.ts";

const maxListedIds = 10;

interface DeleteOptions extends JsonOption {
  reason?: string;
  yes?: boolean;
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
      if (!yes) await confirmRelease(context.input, id, await context.api.beads.dependants({ bead: id }));
      const result = await context.api.beads.delete({ bead: id, reason });
      const { released } = result;
      const readyText = released.length === 0 ? "" : `; ready now: ${listFirst(released, maxListedIds)}`;
      await print(context.output, json, result, () => cleanLine(`Deleted ${id}${readyText}`));
    });
}

/** Beads that wait for this one would become ready as if it were done: the person must want that. */
async function confirmRelease(input: Input, id: string, { depending, released }: Dependants): Promise<void> {
  if (depending.length === 0) return;
  const dependants = `${listFirst(depending, maxListedIds)} ${depending.length === 1 ? "depends" : "depend"} on ${id}`;
  const message = `${dependants}; ready without it: ${released.length === 0 ? "none" : listFirst(released, maxListedIds)}`;
  if (!input.interactive) {
    throw new ClewError("usage", message, `clew bead delete ${id} --yes deletes it all the same`);
  }
  if (await input.confirm(cleanLine(`${message}. Delete ${id}?`))) return;
  throw new ClewError("interrupted", "nothing was deleted", `clew bead dep tree ${id} shows what hangs on it`);
}
