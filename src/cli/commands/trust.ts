import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { cleanLine } from "../terminal/clean.ts";

export function define(context: CliContext): Command {
  return new Command("trust")
    .description("Has what this repository's settings loosen count, as they stand now; any change asks anew.")
    .option("--revoke", "take it back")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew policy list\n  $ clew trust\n  $ clew trust --revoke")
    .action(async ({ json, revoke = false }: JsonOption & { revoke?: boolean }) => {
      const result = await context.api.policies.trust({ revoke });
      await print(context.output, json, result, () => {
        const lines = result.rules.map(({ name, decide, about }) => `  ${name}: ${decide ?? ""} ${about}`);
        const first = `${result.file} is ${result.trusted ? "trusted as it stands now" : "not trusted"}`;
        return `${[first, ...lines].map(cleanLine).join("\n")}\n`;
      });
    });
}
