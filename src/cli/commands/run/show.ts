import type { Command } from "commander";
import { print, type CliContext } from "../../context.ts";
import { viewRun } from "../../terminal/run-view.ts";
import { tailOf } from "./tail-of.ts";

interface ShowOptions {
  json?: boolean;
}

export function defineShow(run: Command, context: CliContext): void {
  run
    .command("show")
    .description("Shows a run: how it stands, its steps, why it waits and what to do about it.")
    .argument("<id>", "the run's id, a unique prefix, its bead, or latest")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew run show latest")
    .action(async (name: string, { json = run.opts<ShowOptions>().json }: ShowOptions) => {
      const runs = await context.runs();
      const shown = runs.show(runs.find(name));
      const tail = json ? undefined : await tailOf(runs, shown);
      await print(context, json, { run: shown }, () => viewRun(context, shown, tail));
    });
}
