import type { Command } from "commander";
import { print, type CliContext } from "../../../context.ts";
import { cleanLine } from "../../../terminal/clean.ts";
import { paintDiff } from "../../../terminal/merge-view.ts";
import { turnSessionHere, type TurnOptions } from "./turn-session.ts";

export function defineDiff(session: Command, context: CliContext): void {
  session
    .command("diff")
    .description("Shows how two turns differ: plan, report, and what they made of files.")
    .argument("<a>", "a turn")
    .argument("[b]", "another; without it, <a> is compared with the turn before it")
    .option("-s, --session <id>", "the session; without it, the one that was made last")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session diff 02 02-branch-01")
    .action(async (a: string, b: string | undefined, { session: name, json }: TurnOptions) => {
      const result = await context.api.turns.diff({
        ...turnSessionHere(context, name),
        a,
        ...(b !== undefined && { b }),
      });
      const { turns } = await context.api.turns.list({ session: result.session_id });
      for (const { turn, status } of turns) {
        if (status === "branched" && (turn === result.a || turn === result.b))
          context.output.say(`${turn} is an empty branch: it has no plan yet`);
      }
      const { colors } = context.terminal;
      await print(context.output, json, result, () => {
        const parts = [
          ["Plan", result.plan],
          ["Report", result.report],
          ...result.files.map(({ path, diff }) => [`File ${cleanLine(path)}`, diff]),
        ].filter(([, diff]) => diff !== "");
        if (parts.length === 0) return `Turns ${result.a} and ${result.b} do not differ`;
        return parts
          .map(([title, diff]) => `${colors.bold(title!)}\n${paintDiff(colors, diff!.trimEnd())}\n`)
          .join("\n");
      });
    });
}
