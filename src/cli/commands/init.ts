import { Command } from "commander";
import type { ConnectionChange } from "../../contract/api/connection.ts";
import { engineTitles } from "../../contract/engine-settings.ts";
import { ClewError } from "../../contract/errors.ts";
import { connectionParts } from "../../contract/hook.ts";
import { cleanLine } from "../terminal/clean.ts";
import { viewChanges } from "../terminal/settings-changes.ts";
import { number } from "../terminal/time.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";

/** `214 sessions of Claude Code and Codex in this project: clew session import`. */
function importLine(importable: { engine: string; sessions: number }[]): string {
  const count = importable.reduce((sum, { sessions }) => sum + sessions, 0);
  const names = importable.map(({ engine }) => engineTitles[engine] ?? engine);
  const last = names.pop()!;
  const engines = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  return `${number(count)} ${count === 1 ? "session" : "sessions"} of ${engines} in this project: clew session import`;
}

interface InitOptions extends JsonOption {
  agents?: boolean;
  undo?: boolean;
  yes?: boolean;
}

export function define(context: CliContext): Command {
  return new Command("init")
    .description(
      "Sets up .clew/ in this git repository, with ignore rules. Safe to repeat; after an upgrade it brings what is new.",
    )
    .option("--agents", "also connect the engines that are installed: hooks and the MCP server in their settings")
    .option("--undo", "with --agents: take these out of all settings again, to the byte")
    .option("-y, --yes", "with --agents: do not ask before settings are changed")
    .option("--json", "print JSON")
    .addHelpText("after", help)
    .action(async ({ json = false, agents = false, undo = false, yes = false }: InitOptions) => {
      if (undo && !agents) throw new ClewError("usage", "--undo says nothing by itself", "clew init --agents --undo");
      if (undo) return disconnect(context, { json, yes });
      const asked = agents ? await mayChange(context, { json, yes }, await planConnections(context)) : undefined;
      const result = await context.api.repository.init({});
      const parts = [...connectionParts];
      const settings = asked ? (await context.api.connections.install({ parts })).settings : [];
      await print(context.output, json, result, () => viewInit(result, asked, settings));
    });
}

const help = `
--agents shows what would change in the settings of each engine, and asks; without a terminal it takes --yes. Everything else in
them keeps its bytes. clew hooks and clew mcp do the same for one engine, or another scope.

Examples:
  $ clew init
  $ clew init --agents
  $ clew init --agents --undo`;

async function planConnections(context: CliContext): Promise<ConnectionChange[]> {
  return (await context.api.connections.install({ parts: [...connectionParts], dry_run: true })).settings;
}

async function disconnect(context: CliContext, options: JsonOption & { yes: boolean }): Promise<void> {
  const parts = [...connectionParts];
  const planned = await context.api.connections.uninstall({ parts, dry_run: true });
  const isAllowed = await mayChange(context, options, planned.settings);
  const result = isAllowed ? await context.api.connections.uninstall({ parts }) : planned;
  const changed = result.settings.filter(({ change }) => change !== "none");
  const text = isAllowed ? viewChanges(changed, false) || "no settings have anything of Clew" : unchanged;
  await print(context.output, options.json, result, () => text);
}

const unchanged = "No settings of engines were changed";

/** Shows the changes, and asks. Throws where no person can be asked. */
async function mayChange(
  { input, output }: CliContext,
  { json, yes }: JsonOption & { yes: boolean },
  planned: readonly ConnectionChange[],
): Promise<boolean> {
  const changes = planned.filter(({ change }) => change !== "none");
  if (yes || changes.length === 0) return true;
  if (!json) await output.write(viewChanges(changes, true));
  if (!input.interactive) {
    const message = `${changes.length} ${changes.length === 1 ? "file" : "files"} of engines' settings would change`;
    throw new ClewError("usage", message, "look at the changes, and repeat the command with --yes");
  }
  return input.confirm("Change these settings?");
}

type Initialised = Awaited<ReturnType<CliContext["api"]["repository"]["init"]>>;

/** `isConnected` is undefined when engines were not asked for, and false when the person wants no change of their settings. */
function viewInit(
  { root, made, renewed, importable }: Initialised,
  isConnected: boolean | undefined,
  settings: readonly ConnectionChange[],
): string {
  const changes = [
    ...(made.length > 0 ? [`Made ${made.join(", ")}`] : []),
    ...(renewed.length > 0 ? [`Brought up to this version: ${renewed.join(", ")}`] : []),
  ];
  const lines = changes.length === 0 ? [`Everything is in place in ${root}/.clew`] : changes;
  for (const { engine, path, parts } of settings)
    lines.push(
      `${engineTitles[engine] ?? engine}, ${parts.map((part) => partTitles[part]).join(" and ")}: ${cleanLine(path)}`,
    );
  for (const note of settings.flatMap(({ notes }) => notes)) lines.push(cleanLine(note));
  if (isConnected === false) lines.push(unchanged);
  if (importable.length > 0) lines.push(importLine(importable));
  if (changes.length > 0) lines.push('Next: clew session start "What you are about to do"');
  return lines.join("\n");
}

const partTitles = { hooks: "hooks", mcp: "MCP server" };
