import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewRun } from "../../terminal/run-view.ts";
import { viewUnlanded } from "./unlanded.ts";

export function defineShow(run: Command, context: CliContext): void {
  run
    .command("show")
    .description("Shows a run: how it stands, its steps, why it waits and what to do about it.")
    .argument("<id>", "the run's id, a unique prefix, its bead, or latest")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew run show latest")
    .action(async (name: string, { json = run.opts<JsonOption>().json }: JsonOption) => {
      const details = await context.api.runs.show({ run: name });
      const unlanded = json ? [] : await viewUnlanded(context, details.run);
      await print(context.output, json, details, () =>
        [viewRun(context.terminal, details.run), ...(unlanded.length === 0 ? [] : ["", ...unlanded])].join("\n"),
      );
    });
}
