import { InvalidArgumentError, Option, type Command } from "commander";
import { sessionKinds, statuses } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { readCount } from "../../read-count.ts";
import { viewSessions } from "../../terminal/session-list-view.ts";

interface ListOptions {
  status?: string;
  agent?: string;
  channel?: string;
  since?: string;
  kind?: string;
  limit: number;
  archived?: boolean;
  json?: boolean;
}

export function defineList(session: Command, context: CliContext): void {
  session
    .command("list")
    .description("Lists sessions, newest first.")
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .option("--agent <name[@version]>", "only those it took part in")
    .option("--channel <name>", "only in this channel")
    .option("--since <date>", "started on or after, such as 2026-11-01", readDate)
    .addOption(new Option("--kind <kind>", "only of this kind").choices(sessionKinds))
    .option("-n, --limit <n>", "at most so many", readCount, 50)
    .option("--archived", "archived ones too")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session list --status active --agent coder")
    .action(async ({ limit, json, agent, channel, ...filter }: ListOptions) => {
      const app = await context.open();
      const list = await app.lists.list(
        {
          ...filter,
          ...(agent !== undefined && { agent: agent.replace(/^@/, "") }),
          ...(channel !== undefined && { channel: channel.replace(/^#/, "") }),
        },
        limit,
      );
      await print(context, json, list, () => viewSessions(context, list));
    });
}

function readDate(text: string): string {
  const ms = Date.parse(text);
  const isDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) && !Number.isNaN(ms);
  // `Date` takes the 30th of February for the 2nd of March.
  const day = isDate && new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10);
  if (day !== text.slice(0, 10))
    throw new InvalidArgumentError("It must be a date such as 2026-11-01 or 2026-11-01T09:00:00Z.");
  return new Date(ms).toISOString();
}
