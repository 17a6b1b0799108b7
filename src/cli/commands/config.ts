import { Command } from "commander";
import { settingTable } from "../../contract/settings.ts";
import { print, type CliContext } from "../context.ts";
import { cleanLine } from "../terminal/clean.ts";
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
    .addHelpText("after", "\nExample:\n  $ clew config show");
  config
    .command("show")
    .description("Lists every setting with its value and origin.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew config show")
    .action(async ({ json }: { json?: boolean }) => {
      const { origins, root } = await context.open();
      await print(context, json, { settings: origins }, () =>
        table(
          context,
          columns,
          origins.map(({ name, value, origin }) => [
            name,
            cleanLine(value),
            cleanLine(context.onTerminal ? below(root, origin) : origin),
            settingTable[name].about,
          ]),
        ),
      );
    });
  return config;
}

/** A path as it is named from the repository's root. */
function below(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
