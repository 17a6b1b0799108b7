import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewChanges, viewSettings } from "../../terminal/settings-changes.ts";
import { withPlace, type PlaceOptions } from "../hooks.ts";

const parts = ["mcp"] as const;

/** Our server in the settings of engines. */
export function defineSettings(mcp: Command, context: CliContext): void {
  const wantsJson = (json: boolean | undefined): boolean => json ?? mcp.opts<JsonOption>().json ?? false;
  withPlace(mcp.command("install"))
    .description("Writes this server into the settings of engines; everything else in them keeps its bytes.")
    .option("--dry-run", "only show what would be written")
    .addHelpText("after", installHelp)
    .action(async ({ json, dryRun = false, ...place }: PlaceOptions) => {
      const result = await context.api.connections.install({ parts: [...parts], ...place, dry_run: dryRun });
      await print(context.output, wantsJson(json), result, () => viewChanges(result.settings, dryRun));
    });
  withPlace(mcp.command("uninstall"))
    .description("Takes it out again, to the byte.")
    .option("--dry-run", "only show what would be written")
    .addHelpText("after", "\nExample:\n  $ clew mcp uninstall --dry-run")
    .action(async ({ json, dryRun = false, ...place }: PlaceOptions) => {
      const result = await context.api.connections.uninstall({ parts: [...parts], ...place, dry_run: dryRun });
      const changed = result.settings.filter(({ change, notes }) => change !== "none" || notes.length > 0);
      await print(
        context.output,
        wantsJson(json),
        result,
        () => viewChanges(changed, dryRun) || "no settings have this server",
      );
    });
  withPlace(mcp.command("status"))
    .description("Shows which settings have this server.")
    .addHelpText("after", "\nExample:\n  $ clew mcp status")
    .action(async ({ json, ...place }: PlaceOptions) => {
      const result = await context.api.connections.status({ parts: [...parts], ...place });
      await print(context.output, wantsJson(json), result, () =>
        viewSettings(context.terminal, "SERVER", result.settings),
      );
    });
}

const installHelp = `
Without --engine: the engines that are installed. Without --scope: this repository. The settings call this very program by its
path: where that is another on another machine, do not commit them.

Examples:
  $ clew mcp install
  $ clew mcp install --engine codex --scope user
  $ clew mcp install --dry-run`;
