import { Option, type Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { groupings, type GroupBy } from "../../../contract/session-row.ts";
import { print, type CliContext } from "../../context.ts";
import { periodOptions, periodRequest, type PeriodOptions } from "./period-options.ts";
import { resolveSessionName, type SessionOptions } from "./session-name.ts";

interface StatsOptions extends SessionOptions, PeriodOptions {
  by?: GroupBy;
  tree?: boolean;
  chart?: boolean;
}

export function defineStats(session: Command, context: CliContext): void {
  const command = session
    .command("stats")
    .description(
      "What sessions add up to: tokens, cost, mean duration, failure rate, by agent, channel, status, engine, bead, branch or merged work; of a period by day, with tools and errors; or one session.",
    )
    .argument("[id]", "one session")
    .option("-s, --session <id>", "one session")
    .addOption(
      new Option(
        "--by <what>",
        "group all sessions, or those of a period, by agent, channel, status (default), engine, bead, branch, or merge: what was done for each bead whose work was merged",
      ).choices(groupings),
    )
    .option("--tree", "of one session: those of its subagents as a tree")
    .option("--chart", "with bars for cost and time");
  periodOptions(command);
  command
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew session stats --by bead --chart\n  $ clew session stats --since 2w --chart\n  $ clew session stats --since 1w --by bead\n  $ clew session stats latest\n  $ clew session stats latest --tree",
    )
    .action(async (name: string | undefined, options: StatsOptions) => {
      const { by, tree, chart = false, session: flag, json } = options;
      const id = name ?? flag;
      const period = periodRequest(options);
      const isPeriod = Object.keys(period).length > 0;
      if (isPeriod && (id !== undefined || tree))
        throw new ClewError(
          "usage",
          "a period is of all sessions in it, not of one session, and has no tree",
          "clew session stats --since 2w, by day; or --since 2w --by agent",
        );
      if (isPeriod && by === undefined) {
        const told = await context.api.sessions.period(period);
        const { viewPeriod } = await import("../../terminal/period-view.ts");
        return print(context.output, json, told, () =>
          viewPeriod(context.terminal, told, { hasChart: chart, request: period }),
        );
      }
      if (id === undefined) {
        if (tree)
          throw new ClewError(
            "usage",
            "--tree is of one session",
            "clew session stats ID --tree; clew session tree shows all",
          );
        const totals = await context.api.sessions.totals({ by: by ?? "status", ...period });
        const { noSessions } = await import("../../terminal/period-view.ts");
        const { viewGroups } = await import("../../terminal/stats-view.ts");
        return print(context.output, json, totals, () =>
          isPeriod && totals.groups.length === 0
            ? noSessions
            : viewGroups(context.terminal, by ?? "status", totals.groups, chart),
        );
      }
      if (by !== undefined) {
        throw new ClewError("usage", "--by groups all sessions, not one", "leave out the session, or --by");
      }
      const request = { session: resolveSessionName(context, id) };
      if (tree && !json) {
        const { sessions } = await context.api.sessions.tree(request);
        const { viewSessionTrees } = await import("../../terminal/session-tree-view.ts");
        return context.output.page(`${viewSessionTrees(context.terminal, sessions)}\n`);
      }
      const stats = await context.api.sessions.stats(request);
      const { viewSessionStats } = await import("../../terminal/stats-view.ts");
      return print(context.output, json, stats, () => viewSessionStats(context.terminal, stats, chart));
    });
}
