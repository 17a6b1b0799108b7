import type { Period } from "../../contract/api/session-period.ts";
import { barCell, numberCell, page, table, toolTable } from "./html-parts.ts";
import { markup, type Content, type Markup } from "./markup.ts";
import { costText, durationText, failureCounts, periodFacts, periodTitle, timeText, tokensText } from "./words.ts";

/** One page with what the sessions of a period add up to. */
export function periodPage(period: Period): string {
  const title = periodTitle(period);
  const facts = periodFacts(period).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return page(
    title,
    markup`<article>
<h1>${title}</h1>
<dl>${facts}</dl>
${dayTable(period)}${tools(period)}${failureTable(period)}${sessionTable(period)}
</article>
`,
  );
}

/** Cost is drawn where it is known of any day, else tokens. */
function dayTable({ days }: Period): Content {
  if (days.length === 0) return "";
  const hasCost = days.some(({ cost_usd }) => (cost_usd ?? 0) > 0);
  const weigh = (day: Period["days"][number]): number => (hasCost ? day.cost_usd : day.tokens_used) ?? 0;
  const mostWeight = mostOf(days.map(weigh));
  const mostSessions = mostOf(days.map(({ sessions }) => sessions));
  const rows = days.map((day) => {
    const sessions = markup`${numberCell(String(day.sessions))}${barCell(day.sessions / mostSessions, "time")}`;
    const used = markup`${numberCell(tokensText(day.tokens_used))}${numberCell(costText(day.cost_usd))}${barCell(weigh(day) / mostWeight)}`;
    return markup`<td class="time">${day.day}</td>${sessions}${numberCell(countText(day.failed))}${numberCell(countText(day.errors))}${numberCell(durationText(day.duration_ms))}${used}`;
  });
  const heads = [
    "day (UTC)",
    "sessions",
    "",
    "failed",
    "errors",
    "duration",
    "tokens",
    "cost",
    hasCost ? "" : "(tokens)",
  ];
  return markup`<h2>Days</h2>${table(heads, rows)}\n`;
}

function tools({ tools: all }: Period): Content {
  return all.length === 0 ? "" : markup`<h2>Tools</h2>${toolTable(all)}\n`;
}

function failureTable({ total, failures, more_failures: more }: Period): Content {
  if (failures.length === 0) return "";
  const rows = failures.map(({ session_id, phase, kind, text, result }) => {
    const place = markup`<td><code>${session_id}</code>${phase === null ? "" : markup`<br>${phase}`}</td>`;
    const outcome =
      result === undefined ? "" : markup`<pre class="result">${kind === "call" ? "✗" : "→"} ${result}</pre>`;
    return markup`${place}<td><span class="bad">${kind}</span></td><td class="what"><pre>${text}</pre>${outcome}</td>`;
  });
  const rest = more === 0 ? "" : markup`<p class="result">${String(more)} more are not listed.</p>`;
  return markup`<h2>What failed <small>${failureCounts(total)}</small></h2><details${openWhenFew(failures)}><summary>errors and failed calls, those of the newest session first</summary>${table(["session", "", "what"], rows)}${rest}</details>\n`;
}

/** A long list is opened by whoever wants it. */
function openWhenFew(failures: readonly unknown[]): Markup {
  return failures.length <= 20 ? markup` open` : markup``;
}

function sessionTable({ sessions }: Period): Content {
  if (sessions.length === 0) return "";
  const mostCost = mostOf(sessions.map(({ cost_usd }) => cost_usd ?? 0));
  const rows = sessions.map((each) => {
    const name = markup`<td class="time">${timeText(each.started)}</td><td class="what">${each.title}<br><code>${each.session_id}</code></td><td>${statusText(each.status)}</td>`;
    const figures = [durationText(each.duration_ms), tokensText(each.tokens_used), costText(each.cost_usd)];
    return markup`${name}${figures.map(numberCell)}${barCell((each.cost_usd ?? 0) / mostCost)}${numberCell(countText(each.errors))}${numberCell(countText(each.failed_tool_calls))}`;
  });
  const heads = ["time (UTC)", "session", "status", "duration", "tokens", "cost", "", "errors", "failed calls"];
  return markup`<h2>Sessions</h2>${table(heads, rows)}\n`;
}

function statusText(status: Period["sessions"][number]["status"]): Content {
  return status === "failed" ? markup`<span class="bad">${status}</span>` : status;
}

function countText(count: number): string {
  return count === 0 ? "" : String(count);
}

function mostOf(values: readonly number[]): number {
  return values.reduce((most, each) => Math.max(most, each), 0);
}
