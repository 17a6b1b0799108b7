import type { Command } from "commander";
import { print, type CliContext } from "../../../context.ts";
import { viewVerification } from "../../../terminal/verification-view.ts";
import { turnSession, type TurnOptions } from "./turn-session.ts";

export function defineVerify(session: Command, context: CliContext): void {
  session
    .command("verify")
    .description(
      "Compares the folders of turns with the hashes in turns.jsonl. Names all that changed, and exits 1 then.",
    )
    .argument("[id]", "the session; without it, all that have turns")
    .option("-s, --session <id>", "the session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session verify")
    .action(async (id: string | undefined, { session: flag, json }: TurnOptions) => {
      const result = await context.api.turns.verify(turnSession(context, id ?? flag));
      await print(context.output, json, result, () => viewVerification(context.terminal, result.sessions));
      if (!result.intact) context.exitCode = 1;
    });
}
