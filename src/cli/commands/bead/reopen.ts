import type { Command } from "commander";
import { tombstone, type Bead } from "../../../contract/bead.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { confirmStatus } from "./confirm-status.ts";

interface ReopenOptions {
  yes?: boolean;
  json?: boolean;
}

interface DeleteOptions {
  reason?: string;
  json?: boolean;
}

export function defineReopen(bead: Command, context: CliContext): void {
  bead
    .command("reopen")
    .description("Takes closed beads up again: they are open. With --json prints {bead}, or {beads} for several.")
    .argument("<id...>", "the beads")
    .option("-y, --yes", "do not ask when a run of the bead is not over")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead reopen a3f")
    .action(async (names: string[], { yes = false, json }: ReopenOptions) => {
      const beads = await context.beads();
      // A misspelt one must not leave half of them open.
      const ids = new Set(names.map((name) => beads.resolve(name)));
      for (const id of ids) await confirmStatus(context, id, { status: "open", yes });
      const reopened: { bead: Bead; changed: boolean }[] = [];
      for (const id of ids) reopened.push(await beads.reopen(id));
      const document = names.length === 1 ? { bead: reopened[0]!.bead } : { beads: reopened.map((each) => each.bead) };
      await print(context, json, document, () =>
        reopened
          .map(({ bead: { id }, changed }) =>
            changed ? `Reopened ${cleanLine(id)}` : `${cleanLine(id)} is open already`,
          )
          .join("\n"),
      );
    });

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
