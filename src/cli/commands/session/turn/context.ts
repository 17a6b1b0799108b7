import type { Command } from "commander";
import { print, type CliContext } from "../../../context.ts";
import { readCount } from "../../../read-count.ts";
import { turnSessionHere, type TurnOptions } from "./turn-session.ts";

export function defineContext(session: Command, context: CliContext): void {
  session
    .command("context")
    .description("Shows what the next plan would be given: each file, the list that brought it in, and its size.")
    .option("-s, --session <id>", "the session; without it, the one that was made last")
    .option("--from <turn>", "the turn after which it would be planned")
    .option("--budget <tokens>", "how much may be sent, in tokens", readCount)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session context --from 02")
    .action(async (options: TurnOptions & { from?: string; budget?: number }) => {
      const { from, budget } = options;
      const shown = await context.api.turns.context({
        ...turnSessionHere(context, options.session),
        ...(from !== undefined && { from }),
        ...(budget !== undefined && { budget }),
      });
      const { viewTurnContext } = await import("../../../terminal/turn-context-view.ts");
      await print(context.output, options.json, shown, () => viewTurnContext(context.terminal, shown));
    });
}
