import type { Period } from "../../contract/api/session-period.ts";
import type { ExportedSession } from "../../contract/api/session-report.ts";
import { formatCount, formatDollars, formatElapsed } from "../../text/figures.ts";

/** Figures as exports write them; `–` stands for what is not known. */
const unknown = "–";

export function tokensText(tokens: number | null | undefined): string {
  return tokens == null ? unknown : formatCount(tokens);
}

export function costText(cost: number | null | undefined): string {
  return cost == null ? unknown : formatDollars(cost);
}

export function durationText(ms: number | null | undefined): string {
  return ms == null ? unknown : formatElapsed(ms);
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
    ["merge commit", textOf(head.merged)],
    ["parent", head.parent],
    ["error", head.error],
    ["session", head.session_id],
  ];
  return facts.flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, value]],
  );
}

/** `12 sessions since 2026-11-04` */
export function periodTitle({ since, until, total }: Period): string {
  const from = since === null ? "" : ` since ${timeText(since).slice(0, 16)}`;
  const to = until === null ? "" : ` until ${timeText(until).slice(0, 16)}`;
  return `${formatCount(total.sessions)} ${total.sessions === 1 ? "session" : "sessions"}${from}${to}`;
}

/** `8 errors, 14 failed calls`: an error was logged as one, and a call that failed is none of them. */
export function failureCounts({ errors, failed_tool_calls: calls }: Period["total"]): string {
  return `${formatCount(errors)} ${errors === 1 ? "error" : "errors"}, ${formatCount(calls)} failed ${calls === 1 ? "call" : "calls"}`;
}

/** What stands at the head of a period. */
export function periodFacts({ total }: Period): [string, string][] {
  const failed = (count: number): string => (count > 0 ? `, ${formatCount(count)} failed` : "");
  return [
    ["sessions", `${formatCount(total.sessions)}${failed(total.failed)}`],
    ["duration", durationText(total.duration_ms)],
    ["tokens", tokensText(total.tokens_used)],
    ["cost", costText(total.cost_usd)],
    ["tool calls", `${formatCount(total.tool_calls)}${failed(total.failed_tool_calls)}`],
    ["errors", formatCount(total.errors)],
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
