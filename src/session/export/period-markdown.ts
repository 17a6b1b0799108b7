import type { Period } from "../../contract/api/session-period.ts";
import { plain, table } from "./plain-markdown.ts";
import { costText, durationText, failureCounts, periodFacts, periodTitle, timeText, tokensText } from "./words.ts";

/** What the sessions of a period add up to, as Markdown. Nothing that was logged becomes markup. */
export function periodMarkdown(period: Period): string {
  const { total, days, tools, failures, more_failures: more, sessions } = period;
  return [
    `# ${plain(periodTitle(period))}`,
    table(
      ["", ""],
      periodFacts(period).map(([name, value]) => [`**${name}**`, plain(value)]),
    ),
    ...section(
      "Days",
      ["day (UTC)", "sessions", "failed", "errors", "duration", "tokens", "cost"],
      days.map((day) => [
        day.day,
        String(day.sessions),
        String(day.failed),
        String(day.errors),
        durationText(day.duration_ms),
        tokensText(day.tokens_used),
        costText(day.cost_usd),
      ]),
    ),
    ...section(
      "Tools",
      ["tool", "calls", "failed"],
      tools.map(({ name, calls, failed }) => [plain(name), String(calls), String(failed)]),
    ),
    ...section(
      `What failed: ${failureCounts(total)}`,
      ["session", "phase", "", "what", "then"],
      failures.map(({ session_id, phase, kind, text, result = "" }) => [
        session_id,
        plain(phase ?? ""),
        kind,
        plain(text),
        plain(result),
      ]),
    ),
    ...(more === 0 ? [] : [`${more} more are not listed.`]),
    ...section(
      "Sessions",
      ["time (UTC)", "session", "status", "duration", "tokens", "cost", "errors", "failed calls", "title"],
      sessions.map((each) => [
        timeText(each.started),
        each.session_id,
        each.status,
        durationText(each.duration_ms),
        tokensText(each.tokens_used),
        costText(each.cost_usd),
        String(each.errors),
        String(each.failed_tool_calls),
        plain(each.title),
      ]),
    ),
  ].join("\n\n");
}

function section(title: string, heads: string[], rows: string[][]): string[] {
  return rows.length === 0 ? [] : [`## ${title}\n\n${table(heads, rows)}`];
}
