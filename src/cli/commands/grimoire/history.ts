import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

export function defineHistory(grimoire: Command, context: CliContext): void {
  grimoire
    .command("history")
    .description("Appends past executions to a workflow in markup, each once; the rest of the file stays as it is.")
    .argument("<file>", "the workflow")
    .argument("<run...>", "runs of it that completed, failed, are blocked or were cancelled: ids, beads, or latest")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew grimoire history flow.md 2026-11-18-proj-a3f")
    .action(async (file: string, runs: string[], { json }: JsonOption) => {
      const result = await context.api.grimoires.history({ file, runs });
      await print(context.output, json, result, () => {
        const added = result.added.map((run) => `Appended ${run} to ${cleanLine(file)}`);
        return [...added, ...result.known.map((run) => `${run} stood there already`)].join("\n");
      });
    });
}
