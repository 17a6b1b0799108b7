import { InvalidArgumentError, Option, type Command } from "commander";
import type { SessionList } from "../../../app/lists.ts";
import { sessionKinds, statuses, type Status } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { clean, cleanLine } from "../../terminal/clean.ts";
import { table } from "../../terminal/table.ts";
import { ago, number } from "../../terminal/time.ts";
import { readCount } from "../../read-count.ts";

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
      await print(context, json, list, () => viewList(context, list));
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

function viewList(context: CliContext, { sessions, unreadable }: SessionList): string {
  const { colors } = context;
  const paint: Record<Status, (text: string) => string> = {
    active: colors.cyan,
    paused: colors.yellow,
    completed: colors.green,
    failed: colors.red,
    abandoned: colors.dim,
  };
  const rows = sessions.map((row) => [
    row.session_id,
    paint[row.status](row.status),
    ago(row.started, context.nowMs()),
    row.participants.map(cleanLine).join(" "),
    String(row.phases),
    row.errors === 0 ? "" : colors.red(String(row.errors)),
    number(row.tokens_used),
    cleanLine(row.title),
  ]);
  const parts: string[] = [];
  if (rows.length > 0) {
    parts.push(
      table(
        [
          { title: "SESSION" },
          { title: "STATUS" },
          { title: "STARTED" },
          { title: "WITH" },
          { title: "PHASES", align: "right" },
          { title: "ERRORS", align: "right" },
          { title: "TOKENS", align: "right" },
          { title: "TITLE", flexible: true },
        ],
        rows,
        context.width,
        colors.dim,
      ),
    );
  } else parts.push('No sessions. Start one: clew session start "What you are about to do"');
  for (const { path, reason } of unreadable)
    parts.push(`${colors.red("unreadable")}  ${clean(path)}\n            ${clean(reason)}`);
  return parts.join("\n");
}
