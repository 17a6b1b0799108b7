import { Option, type Command } from "commander";
import { sessionKinds, statuses } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { readCount } from "../../read-count.ts";
import { readSince } from "../../read-since.ts";
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
    .option("--since <date>", "started on or after: 2026-11-01, or so long ago: 1d, 2w, 12h", (text) =>
      readSince(text, context.nowMs()),
    )
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
