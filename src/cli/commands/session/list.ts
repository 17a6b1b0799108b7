import { Option, type Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { sessionKinds, statuses, type SessionKind, type Status } from "../../../contract/session-values.ts";
import { print, type CliContext } from "../../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../../paging.ts";
import { viewSessions } from "../../terminal/session-list-view.ts";

interface ListOptions extends PageOptions {
  status?: Status | "running";
  agent?: string;
  channel?: string;
  since?: string;
  kind?: SessionKind;
  type?: SessionKind;
  archived?: boolean;
  json?: boolean;
}

export function defineList(session: Command, context: CliContext): void {
  session
    .command("list")
    .description("Lists sessions, newest first, those of subagents below their agent's.")
    .addOption(new Option("--status <status>", "only these; running is active").choices([...statuses, "running"]))
    .option("--agent <name[@version]>", "only those it took part in")
    .option("--channel <name>", "only in this channel")
    .option("--since <date>", "started on or after: 2026-11-01, or so long ago: 1d, 2w, 12h")
    .addOption(new Option("--kind <kind>", "only of this kind").choices(sessionKinds))
    .addOption(new Option("--type <kind>", "the same as --kind").choices(sessionKinds))
    .addOption(limitOption(50))
    .addOption(afterOption())
    .option("--archived", "archived ones too")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session list --status active --agent coder")
    .action(async ({ limit, after, json, agent, channel, status, kind, type, ...filter }: ListOptions) => {
      if (kind !== undefined && type !== undefined && kind !== type) {
        throw new ClewError("usage", `--kind ${kind} and --type ${type} mean the same, and differ`, "give one of them");
      }
      const sessionKind = kind ?? type;
      const request = {
        ...filter,
        ...(status !== undefined && { status }),
        ...(sessionKind !== undefined && { kind: sessionKind }),
        ...(agent !== undefined && { agent }),
        ...(channel !== undefined && { channel }),
      };
      const list = await context.api.sessions.list({ ...request, limit, after });
      await print(context.output, json, list, () =>
        pageText(context.terminal, { count: list.sessions.length, after, next: list.next }, () =>
          viewSessions(context.terminal, list, Object.keys(request).length > 0),
        ),
      );
    });
}
