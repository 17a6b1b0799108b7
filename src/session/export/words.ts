import type { ExportedSession } from "../../contract/api/session-report.ts";

/** Figures as exports write them; `–` stands for what is not known. */
const unknown = "–";

export function tokensText(tokens: number | null | undefined): string {
  if (tokens == null) return unknown;
  const groups: string[] = [];
  for (let rest = String(tokens); rest !== ""; rest = rest.slice(0, -3)) groups.unshift(rest.slice(-3));
  return groups.join(",");
}

export function costText(cost: number | null | undefined): string {
  return cost == null ? unknown : `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
}

export function durationText(ms: number | null | undefined): string {
  if (ms == null) return unknown;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 1000 ? `${ms} ms` : `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `2026-11-17 14:25:30`, in UTC: who reads an export may be anywhere. */
export function timeText(at: string | null): string {
  if (at === null) return "";
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toISOString().slice(0, 19).replace("T", " ");
}

/** What stands at the head of an export. */
export function headFacts({ frontmatter: head, stats }: ExportedSession): [string, string][] {
  const withChildren = (own: string, all: string): string => (own === all ? own : `${own}, ${all} with subagents`);
  const facts: [string, string | undefined][] = [
    ["status", head.status],
    ["started", `${timeText(head.started)} UTC`],
    ["duration", stats.duration_ms === null ? undefined : durationText(stats.duration_ms)],
    ["with", head.participants?.join(", ")],
    ["model", head.model],
    ["tokens", withChildren(tokensText(stats.tokens_used), tokensText(stats.total.tokens_used))],
    ["cost", withChildren(costText(stats.cost_usd), costText(stats.total.cost_usd))],
    ["tool calls", `${stats.tool_calls}${stats.failed_tool_calls > 0 ? `, ${stats.failed_tool_calls} failed` : ""}`],
    ["bead", textOf(head.bead)],
    ["branch", textOf(head.branch)],
    ["parent", head.parent],
    ["error", head.error],
    ["session", head.session_id],
  ];
  return facts.flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, value]],
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
