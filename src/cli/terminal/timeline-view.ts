import type { SessionTimeline, TimelineEvent } from "../../contract/api/session-report.ts";
import type { TimelineKind } from "../../contract/report-values.ts";
import type { Screen } from "../context.ts";
import { bar } from "./bar.ts";
import { kindPaint } from "./breadcrumb-view.ts";
import { cleanLine } from "./clean.ts";
import type { Colors, Paint } from "./colors.ts";
import { table, type Cell, type Column } from "./table.ts";
import { clockTime, dollars, duration, localTime } from "./time.ts";

const barWidth = 8;

/** What happened, a line each; a day begins with its date. */
export function viewTimeline(screen: Screen, { events }: SessionTimeline): string {
  const { colors } = screen;
  const mostTime = events.reduce((most, { duration_ms = 0 }) => Math.max(most, duration_ms), 0);
  const mostCost = events.reduce((most, { cost_usd = 0 }) => Math.max(most, cost_usd), 0);
  const columns: Column[] = [
    { title: "TIME" },
    { title: "WHAT" },
    { title: "COST", align: "right", givesWay: 4 },
    { title: "", givesWay: 2 },
    { title: "TOOK", align: "right", givesWay: 3 },
    { title: "", givesWay: 1 },
    { title: "", wraps: 2 },
  ];
  let day = "";
  const rows = events.flatMap((event): Cell[][] => {
    const { at, kind, breadcrumb, depth = 0, failed, cost_usd, duration_ms, text } = event;
    const date = at === null ? day : localTime(at).slice(0, 10);
    const isNewDay = date !== day;
    day = date;
    const label = `${"· ".repeat(depth)}${breadcrumb ?? kind}${failed ? " ✗" : ""}`;
    // What stands in a phase stands further in.
    const isInPhase = event.phase !== undefined && kind !== "phase";
    const row: Cell[] = [
      { text: at === null ? "" : clockTime(at), paint: colors.dim },
      { text: `${isInPhase ? "  " : ""}${label}`, paint: paintOf(colors, event) },
      cost_usd === undefined ? "" : dollars(cost_usd),
      { text: bar(cost_usd ?? null, mostCost, barWidth), paint: colors.blue },
      duration_ms === undefined || duration_ms === 0 ? "" : duration(duration_ms),
      { text: bar(duration_ms ?? null, mostTime, barWidth), paint: colors.cyan },
      kind === "phase" ? { text: cleanLine(text), paint: colors.bold } : cleanLine(text),
    ];
    return isNewDay ? [[{ text: date, paint: colors.bold }, "", "", "", "", "", ""], row] : [row];
  });
  const used = columns.map((_, at) => rows.some((row) => textOf(row[at]!) !== ""));
  const visible = <T>(all: readonly T[]): T[] => all.filter((_, at) => used[at]);
  return table(screen, visible(columns), rows.map(visible));
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function paintOf(colors: Colors, { kind, breadcrumb, failed }: TimelineEvent): Paint {
  if (failed) return colors.red;
  if (breadcrumb !== undefined) return kindPaint(colors, breadcrumb);
  const paints: Partial<Record<TimelineKind, Paint>> = {
    phase: colors.bold,
    engine: colors.magenta,
    decision: colors.green,
    complete: colors.green,
    question: colors.yellow,
    paused: colors.yellow,
    user: colors.blue,
    answer: colors.blue,
    subagent: colors.cyan,
    task: colors.cyan,
  };
  return paints[kind] ?? colors.dim;
}
