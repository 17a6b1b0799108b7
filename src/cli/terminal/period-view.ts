import type { Period, PeriodRequest } from "../../contract/api/session-period.ts";
import type { Screen } from "../context.ts";
import { shellWord } from "../../text/shell-word.ts";
import { cleanLine } from "./clean.ts";
import { barCell, mostOf, toolTable, weightOf } from "./stats-view.ts";
import { table, type Cell, type Column } from "./table.ts";
import { dollars, duration, number } from "./time.ts";

/** More are in the page that `clew session export` writes. */
const mostFailures = 10;

export const noSessions = "No sessions in that time.";

/** What the sessions of a period add up to, by day. */
export function viewPeriod(
  screen: Screen,
  period: Period,
  { hasChart, request }: { hasChart: boolean; request: PeriodRequest },
): string {
  const { total, tools, failures, more_failures: more } = period;
  if (total.sessions === 0) return noSessions;
  const failed = (count: number): string => (count > 0 ? `, ${number(count)} failed` : "");
  const facts: [string, string][] = [
    ["sessions", `${number(total.sessions)}${failed(total.failed)}`],
    ["duration", duration(total.duration_ms)],
    ["tokens", number(total.tokens_used)],
    ["cost", dollars(total.cost_usd)],
    ["tool calls", `${number(total.tool_calls)}${failed(total.failed_tool_calls)}`],
    ["errors", number(total.errors)],
  ];
  const rest = failures.length + more - mostFailures;
  const note =
    rest > 0
      ? `\n${screen.colors.dim(`${number(rest)} more: clew session export ${optionsOf(request)} --format html -o FILE`)}`
      : "";
  return [
    facts.map(([name, value]) => `${screen.colors.dim(name.padEnd(14))} ${value}`).join("\n"),
    dayTable(screen, period.days, hasChart),
    ...(tools.length === 0 ? [] : [toolTable(screen, tools, hasChart)]),
    ...(failures.length === 0 ? [] : [`${failureTable(screen, failures.slice(0, mostFailures))}${note}`]),
  ].join("\n\n");
}

/** As they were given. */
function optionsOf(request: PeriodRequest): string {
  return Object.entries(request)
    .map(([name, value]) => `--${name} ${shellWord(cleanLine(String(value)))}`)
    .join(" ");
}

function dayTable(screen: Screen, days: Period["days"], hasChart: boolean): string {
  const { colors } = screen;
  const weigh = weightOf(days);
  const mostWeight = mostOf(days.map(weigh));
  const mostSessions = mostOf(days.map(({ sessions }) => sessions));
  const columns: Column[] = [
    { title: "DAY (UTC)", isId: true },
    { title: "SESSIONS", align: "right" },
    ...(hasChart ? [{ title: "", givesWay: 2 }] : []),
    { title: "FAILED", align: "right" },
    { title: "ERRORS", align: "right", givesWay: 3 },
    { title: "TOKENS", align: "right" },
    { title: "COST", align: "right", givesWay: 4 },
    ...(hasChart ? [{ title: "", givesWay: 5 }] : []),
    { title: "DURATION", align: "right", givesWay: 1 },
  ];
  const rows = days.map((day): Cell[] => [
    day.day,
    number(day.sessions),
    ...barCell(hasChart, day.sessions, mostSessions, colors.cyan),
    day.failed === 0 ? "" : { text: number(day.failed), paint: colors.red },
    day.errors === 0 ? "" : number(day.errors),
    number(day.tokens_used),
    dollars(day.cost_usd),
    ...barCell(hasChart, weigh(day), mostWeight, colors.blue),
    duration(day.duration_ms),
  ]);
  return table(screen, columns, rows);
}

function failureTable(screen: Screen, failures: Period["failures"]): string {
  const columns: Column[] = [
    { title: "SESSION", isId: true },
    { title: "PHASE", givesWay: 1 },
    { title: "WHAT FAILED" },
  ];
  const rows = failures.map(({ session_id, phase, text }): Cell[] => [
    session_id,
    cleanLine(phase ?? ""),
    { text: cleanLine(text.slice(0, 200)), paint: screen.colors.red },
  ]);
  return table(screen, columns, rows);
}
