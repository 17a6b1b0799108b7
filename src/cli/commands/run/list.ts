import { Option, type Command } from "commander";
import { runStatuses, type VisibleStatus } from "../../../contract/run.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../../paging.ts";
import { viewRuns } from "../../terminal/run-list-view.ts";

interface ListOptions extends JsonOption, PageOptions {
  all?: boolean;
  status?: VisibleStatus;
}

export function defineList(run: Command, context: CliContext): void {
  run
    .command("list")
    .description("Lists runs, newest first. Those that ended over a week ago are left out.")
    .option("--all", "older ones too")
    .addOption(new Option("--status <status>", "only these").choices(["interrupted", ...runStatuses]))
    .addOption(limitOption())
    .addOption(afterOption())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew run list --status blocked")
    .action(async ({ all = false, status, json = run.opts<ListOptions>().json, ...page }: ListOptions) => {
      const list = await context.api.runs.list({ all, status, ...page });
      await print(context.output, json, list, () =>
        pageText(context.terminal, { count: list.runs.length, after: page.after, next: list.next }, () =>
          viewRuns(context.terminal, list.runs, list.unreadable),
        ),
      );
    });
}
