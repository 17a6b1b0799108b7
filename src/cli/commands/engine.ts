import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { viewEngines, viewExamination } from "../terminal/engine-view.ts";

export function define(context: CliContext): Command {
  const engine = new Command("engine")
    .description("Engines: the programs that run agents, such as Claude Code.")
    .addHelpText("after", "\nExamples:\n  $ clew engine list\n  $ clew engine doctor claude");
  engine
    .command("list")
    .description("Lists the engines: which are installed, in which version, logged in or not, what each can.")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Each program is asked for its version and nothing else; whether it is logged in is seen by files and variables, so that
no model is asked.

Example:
  $ clew engine list`,
    )
    .action(async ({ json }: JsonOption) => {
      const list = await context.api.engines.list({});
      await print(context.output, json, list, () => viewEngines(context.terminal, list.engines));
    });
  engine
    .command("doctor")
    .description("Checks engines one thing after the other, each with its fix. Exits 1 when the engine cannot be used.")
    .argument("[name]", "an engine; without it, all of them, and the one of the settings decides the exit code")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew engine doctor\n  $ clew engine doctor codex")
    .action(async (name: string | undefined, { json }: JsonOption) => {
      const examination = await context.api.engines.examine({ engine: name });
      if (!examination.usable) context.exitCode = 1;
      await print(context.output, json, examination, () => viewExamination(context.terminal, examination));
    });
  return engine;
}
