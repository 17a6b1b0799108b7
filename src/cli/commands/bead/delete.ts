import type { Command } from "commander";
import { tombstone } from "../../../contract/bead.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

interface DeleteOptions {
  reason?: string;
  json?: boolean;
}

export function defineDelete(bead: Command, context: CliContext): void {
  bead
    .command("delete")
    .description("Deletes a bead. Its line stays as a tombstone, so that copies elsewhere learn of it.")
    .argument("<id>", "the bead")
    .option("-r, --reason <text>", "why")
    .option("--json", "print JSON: {bead}, the tombstone")
    .addHelpText(
      "after",
      `
A bead whose run is not over is not deleted. In a database of bd or br, only that program deletes.

Example:
  $ clew bead delete a3f -r "Made twice"`,
    )
    .action(async (name: string, { reason, json }: DeleteOptions) => {
      const beads = await context.beads();
      const id = beads.resolve(name);
      await refuseAtWork(context, id);
      const deleted = await beads.delete(id, reason);
      await print(context, json, { bead: deleted }, () => `Deleted ${cleanLine(id)}`);
    });
}

/** Nobody could tell any more what such a run is about. */
async function refuseAtWork(context: CliContext, id: string): Promise<void> {
  const run = await (await context.open()).runAgainst(id, tombstone);
  if (!run) return;
  throw new ClewError(
    "not_possible_now",
    `run ${run.id} of ${id} is ${run.status}, not over`,
    `clew run cancel ${run.id} gives it up; then delete the bead`,
  );
}
