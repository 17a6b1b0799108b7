import { Option, type Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import type { SessionStats, StatsGroup } from "../../../contract/api/session-list.ts";
import { groupings, type GroupBy } from "../../../contract/session-row.ts";
import { print, type CliContext, type Screen } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { table, type Column } from "../../terminal/table.ts";
import { dollars, duration, number } from "../../terminal/time.ts";
import { resolveSessionName, type SessionOptions } from "./session-name.ts";

interface StatsOptions extends SessionOptions {
  by?: GroupBy;
}

export function defineStats(session: Command, context: CliContext): void {
  session
    .command("stats")
    .description(
      "What sessions add up to: tokens, cost, mean duration, failure rate, by agent, channel, status or engine; or one session.",
    )
    .argument("[id]", "one session")
    .option("-s, --session <id>", "one session")
    .addOption(
      new Option("--by <what>", "group all sessions by agent, channel, status (default) or engine").choices(groupings),
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew session stats --by agent\n  $ clew session stats latest")
    .action(async (name: string | undefined, { by, session: flag, json }: StatsOptions) => {
      const id = name ?? flag;
      if (id === undefined) {
        const totals = await context.api.sessions.totals({ by: by ?? "status" });
        return print(context.output, json, totals, () => viewGroups(context.terminal, by ?? "status", totals.groups));
      }
      if (by !== undefined) {
        throw new ClewError("usage", "--by groups all sessions, not one", "leave out the session, or --by");
      }
      const stats = await context.api.sessions.stats({ session: resolveSessionName(context, id) });
      return print(context.output, json, stats, () => viewSessionStats(context.terminal, stats));
    });
}

function viewGroups(screen: Screen, by: GroupBy, groups: StatsGroup[]): string {
  if (groups.length === 0) return "No sessions yet.";
  const columns: Column[] = [
    { title: by.toUpperCase(), isId: true },
    { title: "SESSIONS", align: "right" },
    { title: "TOKENS", align: "right" },
    { title: "COST", align: "right", givesWay: 2 },
    { title: "MEAN DURATION", align: "right", givesWay: 1 },
    { title: "FAILED", align: "right" },
  ];
  const rows = groups.map((group) => [
    cleanLine(group.key),
    number(group.sessions),
    number(group.tokens_used),
    dollars(group.cost_usd),
    duration(group.avg_duration_ms),
    `${Math.round(group.failure_rate * 100)}%`,
  ]);
  return table(screen, columns, rows);
}

function viewSessionStats({ colors }: Screen, stats: SessionStats): string {
  const facts: [string, string][] = [
    ["duration", duration(stats.duration_ms)],
    ["tokens", number(stats.tokens_used)],
    ["cost", dollars(stats.cost_usd)],
    ["phases", number(stats.phases)],
    [
      "tool calls",
      `${number(stats.tool_calls)}${stats.failed_tool_calls > 0 ? `, ${stats.failed_tool_calls} failed` : ""}`,
    ],
    ["decisions", number(stats.decisions)],
    ["errors", number(stats.errors)],
    ["the user spoke", number(stats.user_messages)],
  ];
  const lines = facts.map(([name, value]) => `${colors.dim(name.padEnd(14))} ${value}`);
  const tools = stats.tools.map(
    ({ name, calls, failed }) => `  ${cleanLine(name)} ×${calls}${failed > 0 ? colors.red(` ${failed} failed`) : ""}`,
  );
  const subagents = stats.subagents.map(
    ({ agent, session, tokens, deleted }) =>
      `  @${cleanLine(agent)}${session === undefined ? "" : ` → ${session}`}${deleted ? " (deleted)" : ""}${tokens === undefined ? "" : ` · ${number(tokens)} tokens`}`,
  );
  return [
    `${colors.bold(cleanLine(stats.title))}  ${colors.dim(stats.session_id)}  ${stats.status}`,
    ...lines,
    ...(tools.length > 0 ? [colors.dim("tools"), ...tools] : []),
    ...(subagents.length > 0 ? [colors.dim("subagents"), ...subagents] : []),
  ].join("\n");
}
