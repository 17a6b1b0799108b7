import type { Command } from "commander";
import { print, type CliContext } from "../../../context.ts";
import { cleanLine } from "../../../terminal/clean.ts";
import { turnSession, type TurnOptions } from "./turn-session.ts";

export function defineVerify(session: Command, context: CliContext): void {
  session
    .command("verify")
    .description("Compares the folders of turns with the hashes in turns.jsonl. Exits 1 when something changed.")
    .argument("[id]", "the session; without it, all that have turns")
    .option("-s, --session <id>", "the session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session verify")
    .action(async (id: string | undefined, { session: flag, json }: TurnOptions) => {
      const result = await context.api.turns.verify(turnSession(context, id ?? flag));
      const { colors } = context.terminal;
      await print(context.output, json, result, () => {
        const lines = result.sessions.flatMap(({ session_id, turns }) =>
          turns.map(({ turn, status, files }) => {
            const others = files.filter((file) => file.status !== "intact");
            const named = others.map((file) => `${cleanLine(file.name)} ${file.status}`).join(", ");
            const sign = status === "intact" ? colors.green("✓") : colors.red("✗");
            return `${sign} ${session_id}/${turn} ${status}${named === "" ? "" : `: ${named}`}`;
          }),
        );
        return lines.length === 0 ? "There are no turns" : lines.join("\n");
      });
      if (!result.intact) context.exitCode = 1;
    });
}
