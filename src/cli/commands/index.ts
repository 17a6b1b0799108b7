import { Command } from "commander";
import { print, type CliContext } from "../context.ts";

export function define(context: CliContext): Command {
  const index = new Command("index")
    .description("The index of sessions: a projection of their files, never the truth.")
    .addHelpText("after", "\nExample:\n  $ clew index check");
  index
    .command("rebuild")
    .description("Makes index and search again from the sessions' files.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew index rebuild")
    .action(async ({ json }: { json?: boolean }) => {
      const { sessions, projections } = await context.open();
      await sessions.foldOpen();
      await projections.rebuildIndex();
      await projections.rebuildSearch();
      const count = await projections.ask((each) => each.ids().length);
      await print(context, json, { sessions: count }, () => `Rebuilt the index of ${count} sessions`);
    });
  index
    .command("check")
    .description("Compares the index with every session's file and takes over what differs.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew index check")
    .action(async ({ json }: { json?: boolean }) => {
      const { sessions, projections } = await context.open();
      await sessions.foldOpen();
      const { stale, sessions: count } = await projections.checkIndex();
      await print(context, json, { sessions: count, changed: stale }, () =>
        stale.length === 0
          ? `The index agrees with all ${count} sessions`
          : `Taken over into the index: ${stale.join(", ")}`,
      );
    });
  return index;
}
