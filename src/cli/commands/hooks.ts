import { Command, Option } from "commander";
import { hookEngines, hookScopes, type HookEngine, type HookScope } from "../../contract/hook.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { viewChanges, viewSettings } from "../terminal/settings-changes.ts";

export interface PlaceOptions extends JsonOption {
  engine?: HookEngine;
  scope?: HookScope;
  dryRun?: boolean;
  http?: boolean;
}

export function define(context: CliContext): Command {
  const hooks = new Command("hooks")
    .description("Hooks in the settings of engines: with them, agents that you start become sessions.")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew hooks install --engine claude\n  $ clew hooks status\n  $ clew hooks uninstall",
    );
  withPlace(hooks.command("install"))
    .description("Writes hooks into the settings of engines; everything else in them keeps its bytes.")
    .option("--http", "tell the daemon over HTTP, where the engine can (claude, qwen)")
    .option("--dry-run", "only show what would be written")
    .addHelpText("after", installHelp)
    .action(async ({ json, dryRun = false, http = false, ...place }: PlaceOptions) => {
      const result = await context.api.hooks.install({ ...place, dry_run: dryRun, http });
      await print(context.output, json, result, () => viewChanges(result.settings, dryRun));
    });
  withPlace(hooks.command("uninstall"))
    .description("Takes these hooks out again, to the byte.")
    .option("--dry-run", "only show what would be written")
    .addHelpText("after", "\nExample:\n  $ clew hooks uninstall --dry-run")
    .action(async ({ json, dryRun = false, ...place }: PlaceOptions) => {
      const result = await context.api.hooks.uninstall({ ...place, dry_run: dryRun });
      const changed = result.settings.filter(({ change }) => change !== "none");
      await print(context.output, json, result, () => viewChanges(changed, dryRun) || "no settings have hooks of Clew");
    });
  withPlace(hooks.command("status"))
    .description("Shows which settings have these hooks.")
    .addHelpText("after", "\nExample:\n  $ clew hooks status")
    .action(async ({ json, ...place }: PlaceOptions) => {
      const result = await context.api.hooks.status(place);
      await print(context.output, json, result, () => viewSettings(context.terminal, "HOOKS", result.settings));
    });
  return hooks;
}

const installHelp = `
Without --engine: the engines that are installed. Without --scope: local where the engine has it (claude), else project.
An agent that you start then becomes a session in each repository in which Clew is set up. Hooks call this very program by its
path: where that is another on another machine, do not commit them. With --http they call the daemon, which needs a port, and CLEW_HOOKS_TOKEN
in the environment of the engine: a token that clew daemon token --hooks makes.

Examples:
  $ clew hooks install
  $ clew hooks install --engine claude --scope user
  $ clew hooks install --engine claude --http
  $ clew hooks install --dry-run`;

/** Which settings a command is about. */
export function withPlace(command: Command): Command {
  return command
    .addOption(new Option("--engine <name>", "the settings of this engine").choices([...hookEngines]))
    .addOption(
      new Option("--scope <scope>", "of this checkout, the repository, or all of yours").choices([...hookScopes]),
    )
    .option("--json", "print JSON");
}
