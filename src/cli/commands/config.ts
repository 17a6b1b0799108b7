import { Command } from "commander";
import { settingTable } from "../../contract/settings.ts";
import { print, type CliContext } from "../context.ts";
import { table } from "../terminal/table.ts";

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
      const { origins } = await context.open();
      await print(context, json, { settings: origins }, () =>
        table(
          [{ title: "SETTING" }, { title: "VALUE" }, { title: "ORIGIN" }, { title: "WHAT", flexible: true }],
          origins.map(({ name, value, origin }) => [name, value, origin, settingTable[name].about]),
          context.width,
          context.colors.dim,
        ),
      );
    });
  return config;
}
