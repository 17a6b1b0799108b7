import type { SessionNode } from "../../contract/api/session-report.ts";
import type { Screen } from "../context.ts";
import { bar } from "./bar.ts";
import { cleanLine } from "./clean.ts";
import { sessionStatusCell } from "./session-list-view.ts";
import { table, type Cell, type Column } from "./table.ts";
import { dollars, duration, number } from "./time.ts";

interface TreeLine {
  node: SessionNode;
  branch: string;
}

const noChildren = "No session has subagents with sessions of their own.";
const barWidth = 12;

/** Sessions with those of their subagents below them; a line at the end has what all of them used. */
export function viewSessionTrees(screen: Screen, sessions: readonly SessionNode[]): string {
  if (sessions.length === 0) return noChildren;
  return sessions.map((node) => viewSessionTree(screen, node)).join("\n\n");
}

function viewSessionTree(screen: Screen, root: SessionNode): string {
  const { colors } = screen;
  const lines = linesOf(root);
  const costs = lines.map(({ node }) => node.cost_usd);
  const times = lines.map(({ node }) => durationOf(node));
  // Without costs, the tokens make the bars.
  const weights = costs.some((cost) => cost !== null && cost > 0) ? costs : lines.map(({ node }) => node.tokens_used);
  const [mostWeight, mostTime] = [mostOf(weights), mostOf(times)];
  const columns: Column[] = [
    { title: "SESSION", isId: true },
    { title: "STATUS" },
    { title: "TOKENS", align: "right", givesWay: 5 },
    { title: "COST", align: "right", givesWay: 6 },
    { title: "", givesWay: 3 },
    { title: "TIME", align: "right", givesWay: 4 },
    { title: "", givesWay: 2 },
    { title: "WITH", givesWay: 1, least: 8 },
  ];
  const rows = lines.map(({ node, branch }, at): Cell[] => [
    `${branch}${node.session_id}`,
    sessionStatusCell(colors, node.status),
    number(node.tokens_used),
    dollars(node.cost_usd),
    { text: bar(weights[at]!, mostWeight, barWidth), paint: colors.blue },
    duration(times[at]!),
    { text: bar(times[at]!, mostTime, barWidth), paint: colors.cyan },
    cleanLine(node.participants.join(" ")),
  ]);
  const { sessions, tokens_used, cost_usd } = root.total;
  const sum = [`${sessions} sessions`, "", number(tokens_used), dollars(cost_usd), "", "", "", ""];
  return table(
    screen,
    columns,
    lines.length === 1 ? rows : [...rows, sum.map((text) => ({ text, paint: colors.bold }))],
  );
}

function linesOf(node: SessionNode, branch = "", below = ""): TreeLine[] {
  const children = node.children.flatMap((child, at) => {
    const isLast = at === node.children.length - 1;
    return linesOf(child, `${below}${isLast ? "└─ " : "├─ "}`, `${below}${isLast ? "   " : "│  "}`);
  });
  return [{ node, branch }, ...children];
}

function durationOf({ started, ended }: SessionNode): number | null {
  const ms = ended === null ? NaN : Date.parse(ended) - Date.parse(started);
  return Number.isNaN(ms) ? null : ms;
}

function mostOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
}
