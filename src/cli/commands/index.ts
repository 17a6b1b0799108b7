import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";

export function define(context: CliContext): Command {
  const index = new Command("index")
    .description("The index of sessions: a projection of their files, never the truth.")
    .addHelpText("after", "\nExample:\n  $ clew index check");
  index
    .command("rebuild")
    .description("Makes index and search again from the sessions' files.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew index rebuild")
    .action(async ({ json }: JsonOption) => {
      const result = await context.api.sessions.rebuildIndex({});
      await print(context.output, json, result, () => `Rebuilt the index of ${result.sessions} sessions`);
    });
  index
    .command("check")
    .description("Compares the index with every session's file and takes over what differs.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew index check")
    .action(async ({ json }: JsonOption) => {
      const result = await context.api.sessions.checkIndex({});
      const { sessions: count, changed } = result;
      await print(context.output, json, result, () =>
        changed.length === 0
          ? `The index agrees with all ${count} sessions`
          : `Taken over into the index: ${changed.join(", ")}`,
      );
    });
  return index;
}
