import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewBead } from "../../terminal/bead-view.ts";

export function defineShow(bead: Command, context: CliContext): void {
  bead
    .command("show")
    .description("Shows a bead: what is to be done, what it waits for and what waits for it.")
    .argument("<id>", "the bead")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead show a3f")
    .action(async (name: string, { json }: JsonOption) => {
      const details = await context.api.beads.show({ bead: name });
      await print(context.output, json, details, () => viewBead(context.terminal, details));
    });
}
