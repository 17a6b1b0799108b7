import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import type { Colors, Paint } from "./colors.ts";
import { markdownLines } from "./markdown.ts";
import { table, type Cell, type Column } from "./table.ts";
import { clockTime, dollars, duration, localTime, number } from "./time.ts";
import { viewUnreadable } from "./unreadable-view.ts";
import { wrapLines } from "./wrap.ts";

interface Found {
  breadcrumbs: Breadcrumb[];
  unreadable: { path: string; reason: string }[];
}

const none = "No breadcrumbs. An agent leaves them by: clew session breadcrumb add --help";

export function viewBreadcrumbs(screen: Screen, { breadcrumbs, unreadable }: Found, isSummary: boolean): string {
  const view = isSummary ? breadcrumbTable(screen, breadcrumbs) : details(screen, breadcrumbs);
  return [
    breadcrumbs.length === 0 ? none : view,
    ...unreadable.map(({ path, reason }) => viewUnreadable(screen, path, reason)),
  ].join("\n");
}

const columns: Column[] = [
  { title: "TIME" },
  { title: "KIND" },
  { title: "TOOLS", align: "right", givesWay: 3 },
  { title: "FILES", align: "right", givesWay: 2 },
  { title: "TOKENS", align: "right", givesWay: 4 },
  { title: "COST", align: "right", givesWay: 5 },
  { title: "TOOK", align: "right", givesWay: 1 },
  { title: "WHAT", wraps: 2 },
];

/** A line each; those of subagents stand further in. */
export function breadcrumbTable(screen: Screen, breadcrumbs: readonly Breadcrumb[]): string {
  const { colors } = screen;
  const rows = breadcrumbs.map((each): Cell[] => {
    const { tools_called: tools = [], files_modified: files = [], tokens } = each;
    const failed = tools.filter((tool) => tool.failed).length;
    const count = failed === 0 ? String(tools.length) : `${tools.length} (${failed} ✗)`;
    return [
      clockTime(each.timestamp),
      { text: `${"· ".repeat(each.depth)}${each.kind}`, paint: kindPaint(colors, each.kind) },
      tools.length === 0 ? "" : failed === 0 ? count : { text: count, paint: colors.red },
      files.length === 0 ? "" : String(files.length),
      tokens ? number(tokens.input + tokens.output) : "",
      each.cost_usd === undefined ? "" : dollars(each.cost_usd),
      each.duration_ms === undefined || each.duration_ms === 0 ? "" : duration(each.duration_ms),
      breadcrumbWords(each),
    ];
  });
  const used = columns.map((_, at) => rows.some((row) => row[at] !== ""));
  const visible = <T>(all: readonly T[]): T[] => all.filter((_, at) => used[at]);
  return table(screen, visible(columns), rows.map(visible));
}

/** What it tells, on one line: what was said, or what was done. */
function breadcrumbWords({ response, tools_called: tools = [], prompt }: Breadcrumb): string {
  if (response !== undefined) return cleanLine(response);
  const last = tools.at(-1);
  if (last) return cleanLine(`${last.name} ${last.about ?? ""}`);
  return prompt === undefined ? "" : cleanLine(prompt);
}

export function kindPaint(colors: Colors, kind: Breadcrumb["kind"]): Paint {
  const paints: Record<Breadcrumb["kind"], Paint> = {
    round: colors.dim,
    note: colors.cyan,
    decision: colors.green,
    result: colors.green,
    handoff: colors.yellow,
    gate: colors.magenta,
  };
  return paints[kind];
}

function details(screen: Screen, breadcrumbs: readonly Breadcrumb[]): string {
  return breadcrumbs.map((each) => detail(screen, each)).join("\n\n");
}

function detail(screen: Screen, each: Breadcrumb): string {
  const { colors } = screen;
  const margin = "  ".repeat(each.depth + 1);
  const width = screen.width - margin.length;
  const { tokens, transcript, tools_called: tools = [], files_modified: files = [] } = each;
  const facts = [
    each.engine === undefined
      ? undefined
      : cleanLine(`${each.engine}${each.model === undefined ? "" : ` (${each.model})`}`),
    tokens &&
      `${number(tokens.input)} in, ${number(tokens.output)} out${tokens.cached === undefined ? "" : `, ${number(tokens.cached)} cached`}`,
    each.cost_usd === undefined ? undefined : dollars(each.cost_usd),
    each.duration_ms ? duration(each.duration_ms) : undefined,
    each.task === undefined ? undefined : cleanLine(each.task),
  ].filter((fact) => fact !== undefined);
  const depth = each.depth === 0 ? "" : colors.dim(` depth ${each.depth}`);
  const label = kindPaint(colors, each.kind)(each.kind);
  const head = `${margin.slice(2)}${colors.bold(localTime(each.timestamp).slice(0, 11) + clockTime(each.timestamp))} ${label}${depth}`;
  const block = (text: string, paint: Paint = (line) => line): string[] =>
    wrapLines({ ...screen, width }, text).map((line) => `${margin}${paint(line)}`);
  const prose = (text: string): string[] =>
    markdownLines(screen, text, width).map((line) => (line === "" ? "" : margin + line));
  return [
    head,
    ...(facts.length > 0 ? block(facts.join(" · "), colors.dim) : []),
    ...(each.prompt === undefined ? [] : block(`> ${cleanLine(each.prompt).slice(0, 400)}`, colors.blue)),
    ...(each.response === undefined ? [] : prose(each.response)),
    ...tools.map(({ name, about = "", failed }) => {
      const mark = failed ? colors.red("✗") : colors.dim("·");
      const [first = "", ...more] = wrapLines({ ...screen, width: width - 2 }, cleanLine(`${name} ${about}`));
      return [`${margin}${mark} ${first}`, ...more.map((line) => `${margin}  ${line}`)].join("\n");
    }),
    ...(files.length === 0 ? [] : block(`files: ${files.map(cleanLine).join(", ")}`, colors.dim)),
    ...(transcript
      ? block(`transcript: ${cleanLine(transcript.file)}:${transcript.from}-${transcript.to}`, colors.dim)
      : []),
  ].join("\n");
}
