import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";

export function define(context: CliContext): Command {
  return new Command("init")
    .description(
      "Sets up .clew/ in this git repository, with ignore rules. Safe to repeat; after an upgrade it brings what is new.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew init")
    .action(async ({ json }: JsonOption) => {
      const result = await context.api.repository.init({});
      const { root, made, renewed } = result;
      await print(context.output, json, result, () => {
        const changes = [
          ...(made.length > 0 ? [`Made ${made.join(", ")}`] : []),
          ...(renewed.length > 0 ? [`Brought up to this version: ${renewed.join(", ")}`] : []),
        ];
        if (changes.length === 0) return `Everything is in place in ${root}/.clew`;
        return [...changes, 'Next: clew session start "What you are about to do"'].join("\n");
      });
    });
}
