import { Command } from "commander";
import { print, type CliContext } from "../context.ts";

export function define(context: CliContext): Command {
  return new Command("init")
    .description("Sets up .clew/ in this git repository, with ignore rules. Safe to repeat.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew init")
    .action(async ({ json }: { json?: boolean }) => {
      const app = await context.open();
      const made = app.init();
      await print(context, json, { root: app.root, made }, () =>
        made.length === 0
          ? `Everything is in place in ${app.root}/.clew`
          : `Made ${made.join(", ")}\nNext: clew session start "What you are about to do"`,
      );
    });
}
