import { Option, type Command } from "commander";
import type { BeadFilter } from "../../../contract/api/bead-shapes.ts";
import { beadStatuses } from "../../../contract/bead.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../../paging.ts";
import { viewBeads } from "../../terminal/bead-list-view.ts";
import { collect, notEmpty, readPriority } from "./fields.ts";

interface ListOptions extends JsonOption, PageOptions {
  status?: string;
  type?: string;
  label?: string[];
  priority?: number;
  assignee?: string;
  all?: boolean;
}

export function defineList(bead: Command, context: CliContext): void {
  bead
    .command("list")
    .description("Lists beads that are not closed, the most urgent first.")
    .addOption(new Option("--status <status>", "only these").choices(beadStatuses))
    .option("-t, --type <type>", "only of this type", notEmpty)
    .option("-l, --label <label>", "only with this label; with all of them when repeated", (text, earlier?: string[]) =>
      collect(notEmpty(text), earlier),
    )
    .option("-p, --priority <0-4>", "only of this priority", readPriority)
    .option("--assignee <name>", "only this one's", notEmpty)
    .option("--all", "closed ones too")
    .addOption(limitOption())
    .addOption(afterOption())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead list -t bug -l auth --status open")
    .action(async ({ label, limit, after, json, ...filter }: ListOptions) => {
      const request: BeadFilter = { ...filter, ...(label && { labels: label }) };
      const list = await context.api.beads.list({ ...request, limit, after, standings: !json });
      const isFiltered = Object.keys(request).length > 0;
      const isEmpty = list.beads.length === 0 && !json;
      const { total } = isEmpty ? await context.api.beads.list({ all: true, limit: 1 }) : list;
      const empty = emptyText(total, isFiltered);
      await print(context.output, json, list, () => {
        const page = { count: list.beads.length, after, next: list.next };
        return pageText(context.terminal, page, () => viewBeads(context.terminal, list, empty));
      });
    });

  bead
    .command("ready")
    .description("Lists beads that could be worked on now: open, not deferred, waiting for nothing.")
    .addOption(limitOption())
    .addOption(afterOption())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead ready --limit 5")
    .action(async ({ json, ...page }: ListOptions) => {
      const list = await context.api.beads.ready({ ...page, standings: !json });
      const empty = "Nothing is ready. clew bead graph shows what waits for what";
      await print(context.output, json, list, () => {
        const range = { count: list.beads.length, after: page.after, next: list.next };
        return pageText(context.terminal, range, () => viewBeads(context.terminal, list, empty));
      });
    });
}

function emptyText(total: number, isFiltered: boolean): string {
  if (total === 0) return 'No beads. Make one: clew bead create "What is to be done"';
  if (isFiltered)
    return `None of ${total === 1 ? "the one bead" : `the ${total} beads`} match. clew bead list --all shows them`;
  return `All is done: ${total === 1 ? "the one bead is" : `the ${total} beads are`} closed`;
}
