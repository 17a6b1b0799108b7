import { Command } from "commander";
import type { App } from "../../app/app.ts";
import type { Overview } from "../../app/status.ts";
import { ClewError } from "../../contract/errors.ts";
import { print, type CliContext } from "../context.ts";
import { viewStatus } from "../terminal/status-view.ts";
import { viewWelcome } from "../terminal/status-commands.ts";

export function define(context: CliContext): Command {
  return new Command("status")
    .description(
      "What needs you, what runs, what is ready, what ended, and the next commands. clew alone shows the same.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew\n  $ clew status --json")
    .action(async ({ json }: { json?: boolean }) => show(context, await context.open(), json));
}

/** `clew` without a word: how things stand, or how to begin where there is nothing yet. */
export async function showAlone(context: CliContext): Promise<void> {
  try {
    await show(context, await context.open(), false);
  } catch (error) {
    if (!(error instanceof ClewError && error.code === "not_a_repository")) throw error;
    await print(context, false, {}, () => viewWelcome(context, "elsewhere"));
  }
}

async function show(context: CliContext, app: App, json: boolean | undefined): Promise<void> {
  const isSetUp = app.isSetUp();
  const overview = isSetUp ? await (await app.status()).overview() : await beadsAlone(app);
  const isNew = !isSetUp && overview.ready.length === 0;
  await print(context, json, overview, () =>
    isNew ? viewWelcome(context, "repository") : viewStatus(context, overview),
  );
}

/** Who only looks leaves nothing behind where nobody has begun. */
async function beadsAlone(app: App): Promise<Overview> {
  const { beads: ready } = (await app.beads()).ready();
  return { needs_you: [], running: [], ready, ended: [] };
}
