import { Option, type Command } from "commander";
import { runStatuses, type VisibleStatus } from "../../../contract/run.ts";
import { print, type CliContext } from "../../context.ts";
import { pageText, withPages, type PageOptions } from "../../paging.ts";
import { viewRuns } from "../../terminal/run-list-view.ts";

interface ListOptions extends PageOptions {
  all?: boolean;
  status?: VisibleStatus;
  json?: boolean;
}

export function defineList(run: Command, context: CliContext): void {
  withPages(run.command("list"))
    .description("Lists runs, newest first. Those that ended over a week ago are left out.")
    .option("--all", "older ones too")
    .addOption(new Option("--status <status>", "only these").choices(["interrupted", ...runStatuses]))
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew run list --status blocked")
    .action(async ({ all = false, status, json = run.opts<ListOptions>().json, ...page }: ListOptions) => {
      const listed = await context.api.runs.list({ all, status, ...page });
      await print(context, json, listed, () =>
        pageText(context, viewRuns(context, listed.runs, listed.unreadable), listed.next),
      );
    });
}
