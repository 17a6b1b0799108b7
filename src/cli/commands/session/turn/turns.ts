import type { Command } from "commander";
import { print, type CliContext } from "../../../context.ts";
import { turnSessionHere, type TurnOptions } from "./turn-session.ts";

export function defineTurns(session: Command, context: CliContext): void {
  session
    .command("turns")
    .description("Shows the turns of a session and their branches as a tree, and what the next commands would take.")
    .argument("[id]", "the session; without it, the one that was made last")
    .option("-s, --session <id>", "the session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session turns")
    .action(async (name: string | undefined, options: TurnOptions) => {
      const listed = await context.api.turns.list(turnSessionHere(context, name ?? options.session));
      const { viewTurns } = await import("../../../terminal/turns-view.ts");
      await print(context.output, options.json, listed, () => viewTurns(context.terminal, listed));
    });
}
