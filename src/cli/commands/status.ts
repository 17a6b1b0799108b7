import { Command } from "commander";
import { ClewError } from "../../contract/errors.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { viewStatus } from "../terminal/status-view.ts";
import { viewWelcome } from "../terminal/status-commands.ts";

export function define(context: CliContext): Command {
  return new Command("status")
    .description(
      "What needs you, what runs, what is paused, what is ready, what ended, and the next commands. clew alone shows the same.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew\n  $ clew status --json")
    .action(async ({ json }: JsonOption) => show(context, json));
}

/** `clew` without a word: how things stand, or how to begin where there is nothing yet. */
export async function showStatus(context: CliContext): Promise<void> {
  try {
    await show(context, false);
  } catch (error) {
    if (!(error instanceof ClewError && error.code === "not_a_repository")) throw error;
    await print(context.output, false, {}, () => viewWelcome(context.terminal, "elsewhere"));
  }
}

async function show(context: CliContext, json: boolean | undefined): Promise<void> {
  const { is_set_up } = await context.api.repository.show({});
  const overview = await context.api.status.show({});
  const isNew = !is_set_up && overview.ready.length === 0;
  const isAsked = json !== true && is_set_up && overview.ready.length > 0;
  const hasDaemon = isAsked && (await context.api.daemon.status({})).daemon !== null;
  await print(context.output, json, overview, () =>
    isNew ? viewWelcome(context.terminal, "repository") : viewStatus(context.terminal, overview, hasDaemon),
  );
}
