import { Command } from "commander";
import type { WrittenSetting } from "../../contract/api/config.ts";
import { ClewError } from "../../contract/errors.ts";
import { settingTable } from "../../contract/settings.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { clean, cleanLine } from "../terminal/clean.ts";
import { pathFrom, valueText } from "../terminal/words.ts";
import { table, type Column } from "../terminal/table.ts";

const columns: Column[] = [
  { title: "SETTING", isId: true },
  { title: "VALUE", least: 14 },
  { title: "ORIGIN", givesWay: 1 },
  { title: "WHAT", wraps: Infinity, room: 20 },
];

export function define(context: CliContext): Command {
  const config = new Command("config")
    .description("Settings and where each comes from.")
    .addHelpText("after", "\nExamples:\n  $ clew config show\n  $ clew config set engine scripted");
  config
    .command("show")
    .description("Lists every setting with its value and origin.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew config show")
    .action(async ({ json }: JsonOption) => {
      const list = await context.api.config.show({});
      const { root } = await context.api.repository.show({});
      await print(context.output, json, list, () =>
        table(
          context.terminal,
          columns,
          list.settings.map(({ name, value, origin }) => [
            name,
            cleanLine(valueText(value)),
            cleanLine(context.terminal.onTerminal ? pathFrom(root, origin) : origin),
            settingTable[name].about,
          ]),
        ),
      );
    });
  config
    .command("set")
    .description("Writes a setting into the repository's file, or with --user into your own. Comments and order stay.")
    .argument("<key>", "the setting, or a part of one: worktree.setup")
    .argument("<value>", "its value; mappings and lists as YAML in one line")
    .option("--user", "in your own settings, for all repositories")
    .option("--repo", "in the repository's .clew/config.yaml, which is meant without it, too")
    .option("--json", "print JSON: {name, value, before, file, overridden_by}")
    .addHelpText("after", help)
    .action(
      async (key: string, value: string, { user, repo, json }: JsonOption & { user?: boolean; repo?: boolean }) => {
        if (user && repo) throw new ClewError("usage", "--user or --repo, not both", "one file at a time");
        const setting = await context.api.config.set({ key, value, where: user ? "user" : "repository" });
        await print(context.output, json, setting, () => viewSetting(setting));
      },
    );
  return config;
}

const help = `
The value is checked before anything is written. What loosens protection goes into your own file only.

Examples:
  $ clew config set engine scripted
  $ clew config set save 30s --user
  $ clew config set worktree.setup "npm ci"
  $ clew config set grimoire_types "{bug: fix-bug}"`;

function viewSetting({ name, value, before, file, overridden_by }: WrittenSetting): string {
  const [newText, oldText] = [valueText(value), valueText(before)];
  const change = before === null ? "" : oldText === newText ? ", as before" : `, was ${oldText}`;
  const note = overridden_by === null ? "" : `\nIn this repository ${overridden_by} goes before it`;
  return clean(`${name}: ${newText}${change} (${file})${note}`);
}
