import type { Command } from "commander";
import type { Bead } from "../../../contract/bead.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { confirmStatus } from "./confirm-status.ts";
import { idsOf } from "./ids-of.ts";

interface ReopenOptions {
  yes?: boolean;
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
      // A misspelt one must not leave half of them open.
      const ids = await idsOf(context, names);
      for (const id of ids) await confirmStatus(context, id, { status: "open", yes });
      const reopened: { bead: Bead; changed: boolean }[] = [];
      for (const id of ids) reopened.push(await context.api.beads.reopen({ bead: id }));
      const document = names.length === 1 ? reopened[0]! : { beads: reopened.map((each) => each.bead) };
      await print(context, json, document, () =>
        reopened
          .map(({ bead: { id }, changed }) =>
            changed ? `Reopened ${cleanLine(id)}` : `${cleanLine(id)} is open already`,
          )
          .join("\n"),
      );
    });
}
