import type { Command } from "commander";
import { print, type CliContext } from "../../../context.ts";
import { cleanLine } from "../../../terminal/clean.ts";
import { turnSessionHere, type TurnOptions } from "./turn-session.ts";

/** What undoing leaves as it is. */
const stays = "memo changes of the turn, and what its commands did, stay";

export function defineUndo(session: Command, context: CliContext): void {
  session
    .command("undo")
    .description("Takes back what a turn made of files, while nothing else has changed them.")
    .argument("<turn>", "the turn, such as 02")
    .option("-s, --session <id>", "the session; without it, the one that was made last")
    .option("--dry-run", "only tell what would be taken back")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nMemo changes, and what commands did, are not taken back.\n\nExample:\n  $ clew session undo 02",
    )
    .action(async (turn: string, { session: name, dryRun, json }: TurnOptions & { dryRun?: boolean }) => {
      const request = { ...turnSessionHere(context, name), turn, ...(dryRun && { dry_run: true }) };
      const result = await context.api.turns.undo(request);
      await print(context.output, json, result, () => {
        const head = result.undone ? `Turn ${result.turn} is undone` : `Undoing turn ${result.turn} would take back`;
        const files = result.files.map(({ path, change }) => `  ${change} ${cleanLine(path)}`);
        const again = `clew session branch ${result.turn} --same-plan -s ${result.session_id}`;
        return [head, ...files, stays, ...(result.undone ? [`to do it again: ${again}`] : [])].join("\n");
      });
    });
}
