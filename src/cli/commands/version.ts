import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";

export function define(context: CliContext): Command {
  return new Command("version")
    .description("Prints the version, as clew --version does.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew version")
    .action(({ json }: JsonOption) =>
      print(context.output, json, { version: context.program.version }, () => context.program.version),
    );
}
