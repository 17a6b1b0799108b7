import type { SessionStats, StatsGroup } from "../../contract/api/session-list.ts";
import type { GroupBy } from "../../contract/session-row.ts";
import type { Screen } from "../context.ts";
import { bar } from "./bar.ts";
import { cleanLine } from "./clean.ts";
import type { Paint } from "./colors.ts";
import { table, type Cell, type Column } from "./table.ts";
import { dollars, duration, number } from "./time.ts";
import { wrapLines } from "./wrap.ts";

const barWidth = 16;

/** All sessions by groups; the last line has the whole. */
export function viewGroups(screen: Screen, by: GroupBy, groups: readonly StatsGroup[], hasChart: boolean): string {
  if (groups.length === 0) return "No sessions yet.";
  const { colors } = screen;
  const weigh = weightOf(groups);
  const mostTime = mostOf(groups.map((group) => group.avg_duration_ms));
  const mostWeight = mostOf(groups.map(weigh));
  const columns: Column[] = [
    { title: by.toUpperCase(), isId: true },
    { title: "SESSIONS", align: "right" },
    { title: "TOKENS", align: "right" },
    { title: "COST", align: "right", givesWay: 3 },
    ...(hasChart ? [{ title: "", givesWay: 4 }] : []),
    { title: "MEAN DURATION", align: "right", givesWay: 2 },
    ...(hasChart ? [{ title: "", givesWay: 1 }] : []),
    { title: "FAILED", align: "right" },
  ];
  const rows = groups.map((group): Cell[] => [
    cleanLine(group.key),
    number(group.sessions),
    number(group.tokens_used),
    dollars(group.cost_usd),
    ...barCell(hasChart, weigh(group), mostWeight, colors.blue),
    duration(group.avg_duration_ms),
    ...barCell(hasChart, group.avg_duration_ms, mostTime, colors.cyan),
    `${Math.round(group.failure_rate * 100)}%`,
  ]);
  return table(screen, columns, rows);
}

/** Cost where it is known of any, else tokens. */
export function weightOf(
  groups: readonly Pick<StatsGroup, "cost_usd">[],
): (group: Pick<StatsGroup, "cost_usd" | "tokens_used">) => number | null {
  const hasCost = groups.some(({ cost_usd }) => cost_usd !== null && cost_usd > 0);
  return ({ cost_usd, tokens_used }) => (hasCost ? cost_usd : tokens_used);
}

export function viewSessionStats(screen: Screen, stats: SessionStats, hasChart: boolean): string {
  const { colors } = screen;
  const { total, tools, engines, children } = stats;
  const withChildren = (own: string, all: string): string => (own === all ? own : `${own}, ${all} with subagents`);
  const failed = stats.failed_tool_calls > 0 ? `, ${stats.failed_tool_calls} failed` : "";
  const facts: [string, string][] = [
    ["duration", duration(stats.duration_ms)],
    ["tokens", withChildren(number(stats.tokens_used), number(total.tokens_used))],
    ["cost", withChildren(dollars(stats.cost_usd), dollars(total.cost_usd))],
    ["phases", number(stats.phases)],
    ["tool calls", `${number(stats.tool_calls)}${failed}`],
    ["decisions", number(stats.decisions)],
    ["errors", number(stats.errors)],
    ["the user spoke", number(stats.user_messages)],
  ];
  const head = `${wrapLines(screen, cleanLine(stats.title)).map(colors.bold).join("\n")}  ${colors.dim(stats.session_id)}  ${stats.status}`;
  return [
    [head, ...facts.map(([name, value]) => `${colors.dim(name.padEnd(14))} ${value}`)].join("\n"),
    ...(tools.length === 0 ? [] : [toolTable(screen, tools, hasChart)]),
    ...(engines.length === 0 ? [] : [`${engineTable(screen, engines, hasChart)}${engineNote(screen, stats)}`]),
    ...(children.length === 0 ? [] : [childTable(screen, children, hasChart)]),
    ...inlineSubagents(screen, stats),
  ].join("\n\n");
}

export function toolTable(screen: Screen, tools: SessionStats["tools"], hasChart: boolean): string {
  const { colors } = screen;
  const most = mostOf(tools.map(({ calls }) => calls));
  const columns: Column[] = [
    { title: "TOOL" },
    { title: "CALLS", align: "right" },
    { title: "FAILED", align: "right" },
    ...(hasChart ? [{ title: "" }] : []),
  ];
  const rows = tools.map(({ name, calls, failed }): Cell[] => [
    cleanLine(name),
    number(calls),
    failed === 0 ? "" : { text: number(failed), paint: colors.red },
    ...barCell(hasChart, calls, most, colors.blue),
  ]);
  return table(screen, columns, rows);
}

/** Whose the rounds, tokens and cost of engines are. */
function engineNote({ colors }: Screen, { children, subagents }: SessionStats): string {
  const isAnyInline = subagents.some(({ session }) => session === undefined);
  if (children.length === 0 && !isAnyInline) return "";
  const own = isAnyInline ? "this session with its inline subagents" : "this session alone";
  const others = children.length === 0 ? "" : "; subagents with a session of their own count below";
  return `\n${colors.dim(`rounds, tokens and cost of ${own}${others}`)}`;
}

function engineTable(screen: Screen, engines: SessionStats["engines"], hasChart: boolean): string {
  const weigh = weightOf(engines);
  const most = mostOf(engines.map(weigh));
  const columns: Column[] = [
    { title: "ENGINE" },
    { title: "ROUNDS", align: "right" },
    { title: "TOKENS", align: "right" },
    { title: "COST", align: "right" },
    ...(hasChart ? [{ title: "" }] : []),
  ];
  const rows = engines.map((share): Cell[] => [
    share.engine === null ? "(not known)" : cleanLine(share.engine),
    share.rounds === 0 ? "" : number(share.rounds),
    number(share.tokens_used),
    dollars(share.cost_usd),
    ...barCell(hasChart, weigh(share), most, screen.colors.blue),
  ]);
  return table(screen, columns, rows);
}

function childTable(screen: Screen, children: SessionStats["children"], hasChart: boolean): string {
  const weigh = weightOf(children);
  const most = mostOf(children.map(weigh));
  const columns: Column[] = [
    { title: "SUBAGENT", isId: true },
    { title: "STATUS" },
    { title: "TOKENS", align: "right" },
    { title: "COST", align: "right", givesWay: 4 },
    ...(hasChart ? [{ title: "", givesWay: 3 }] : []),
    { title: "TIME", align: "right", givesWay: 2 },
  ];
  const rows = children.map((child): Cell[] => [
    `${"  ".repeat(child.depth - 1)}${child.session_id}`,
    child.status,
    number(child.tokens_used),
    dollars(child.cost_usd),
    ...barCell(hasChart, weigh(child), most, screen.colors.blue),
    duration(child.duration_ms),
  ]);
  return table(screen, columns, rows);
}

/** Subagents without a session of their own: their tokens are among the session's. */
function inlineSubagents({ colors }: Screen, { subagents, children }: SessionStats): string[] {
  const ids = new Set(children.map(({ session_id }) => session_id));
  const others = subagents.filter(({ session }) => session === undefined || !ids.has(session));
  if (others.length === 0) return [];
  const lines = others.map(
    ({ agent, session, tokens, deleted }) =>
      `  @${cleanLine(agent)}${session === undefined ? "" : ` → ${cleanLine(session)}`}${deleted ? " (deleted)" : ""}${tokens ? ` · ${number(tokens)} tokens` : ""}`,
  );
  return [[colors.dim("subagents"), ...lines].join("\n")];
}

export function barCell(hasChart: boolean, value: number | null, most: number, paint: Paint): Cell[] {
  return hasChart ? [{ text: bar(value, most, barWidth), paint }] : [];
}

export function mostOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
}
