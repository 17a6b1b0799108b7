import type { ExportedSession } from "../../contract/api/session-report.ts";
import type { Entry } from "../../contract/session.ts";
import { barCell, numberCell, page, spanCell, table, toolTable } from "./html-parts.ts";
import { foldText } from "./fold.ts";
import { markup, type Content, type Markup } from "./markup.ts";
import { costText, durationText, headFacts, timeText, tokensText } from "./words.ts";

/** A page with sessions that asks for nothing else: no script, no outside request, each text escaped. */
export function htmlPage(sessions: readonly ExportedSession[]): string {
  const [first] = sessions;
  const title = sessions.length === 1 && first ? first.frontmatter.title : `${sessions.length} sessions`;
  return page(title, sessions.map(sessionArticle));
}

function sessionArticle(session: ExportedSession): Markup {
  const { frontmatter, tasks, phases, stats, breadcrumbs = [], timeline, preamble, summary } = session;
  const facts = headFacts(session).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return markup`<article>
<h1>${frontmatter.title}</h1>
<dl>${facts}</dl>
${preamble === undefined ? "" : markup`<p class="text">${preamble}</p>`}
${tasks.length === 0 ? "" : taskList(tasks)}
${phases.map(phaseSection)}
${summary === undefined ? "" : markup`<h2>Summary</h2><p class="text">${summary}</p>`}
${phaseTimes(session)}${toolFigures(stats)}${engineFigures(stats)}${childFigures(stats)}
${breadcrumbs.length === 0 ? "" : breadcrumbTable(breadcrumbs)}
${timelineTable(timeline)}
</article>
`;
}

const taskMark = { completed: "✓", in_progress: "▸", pending: "○" } as const;

function taskList(tasks: ExportedSession["tasks"]): Markup {
  const items = tasks.map(({ status, content }) => markup`<li>${taskMark[status]} ${content}</li>`);
  return markup`<h2>Tasks</h2><ul class="tasks">${items}</ul>`;
}

function phaseSection({ title, agent, channel, started, entries }: ExportedSession["phases"][number]): Markup {
  const who = agent === null ? "" : `@${agent} `;
  const where = channel === null ? "" : `#${channel} `;
  return markup`<section><h2>${title} <small>${who}${where}${timeText(started)}</small></h2>
${entries.map(entryBlock)}</section>
`;
}

function entryBlock(entry: Entry): Markup {
  switch (entry.kind) {
    case "tool":
      return toolBlock(entry);
    case "text":
    case "note":
      return markup`<p class="text">${entry.text}</p>\n`;
    case "tokens":
      return markup`<p class="result">${entry.tokens === 0 && entry.cost_usd !== undefined ? costText(entry.cost_usd) : `${tokensText(entry.tokens)} tokens`} ${entry.model ?? ""}</p>\n`;
    case "subagent": {
      const { agent, model, session, tokens, content, summary } = entry;
      const of = model === undefined ? "" : ` (${model})`;
      const used = tokens === undefined ? "" : ` · ${tokensText(tokens)} tokens`;
      const head = `@${agent}${of}${session === undefined ? "" : ` → ${session}`}${used}`;
      return callout("subagent", head, [content, summary].filter((part) => part !== undefined).join("\n\n"));
    }
    case "remark":
      return callout("remark", entry.about ?? "remark", entry.text);
    case "error":
      return callout("error", "error", withField(entry.text, "Resolution", entry.resolution));
    case "user":
      return callout("user", "the user", withField(entry.text, "Action", entry.action));
    case "decision":
    case "answer":
      return callout(entry.kind, entry.kind, entry.text);
    case "task_complete":
      return callout("complete", "complete", entry.text);
    case "decision_needed":
    case "approval_required":
      return callout("question", entry.kind.replace("_", " "), entry.text);
  }
}

function toolBlock({ name, args, result, result_full: whole, failed }: Extract<Entry, { kind: "tool" }>): Markup {
  const fold = foldText(args);
  const input = fold
    ? markup`<details><summary><code>${fold.first}</code> ${fold.more}</summary><pre>${args}</pre></details>`
    : args === ""
      ? ""
      : markup`<pre>${args}</pre>`;
  const output = result === undefined ? "" : markup`<pre class="result">${failed ? "✗" : "→"} ${result}</pre>`;
  const all =
    whole === undefined
      ? ""
      : markup`<details><summary>all of it</summary><pre class="result">${whole}</pre></details>`;
  return markup`<div class="entry${failed ? " failed" : ""}"><b>${name}</b>${input}${output}${all}</div>\n`;
}

type CalloutClass = "subagent" | "error" | "user" | "decision" | "answer" | "complete" | "question" | "remark";

function callout(kind: CalloutClass, title: string, text: string): Markup {
  return markup`<div class="entry ${kind}"><b>${title}</b><div class="text">${text}</div></div>\n`;
}

function withField(text: string, name: string, value: string | undefined): string {
  return value === undefined ? text : `${text}\n${name}: ${value}`;
}

/** When each phase was worked on. A phase ends where the next one begins, the last one with the session. */
function phaseTimes({ phases, frontmatter, timeline }: ExportedSession): Content {
  const starts = phases.flatMap(({ title, started }) => {
    const at = started === null ? NaN : Date.parse(started);
    return Number.isNaN(at) ? [] : [{ title, started, at }];
  });
  const known = timeline.flatMap(({ at }) => (at === null || Number.isNaN(Date.parse(at)) ? [] : [Date.parse(at)]));
  const ended = frontmatter.ended == null ? NaN : Date.parse(frontmatter.ended);
  const end = Number.isNaN(ended) ? known.reduce((last, at) => Math.max(last, at), 0) : ended;
  const [first] = starts;
  if (!first || starts.length < 2 || !(end > first.at)) return "";
  const rows = starts.map(({ title, started, at }, index) => {
    const until = starts[index + 1]?.at ?? end;
    const took = numberCell(until >= at ? durationText(until - at) : "");
    const span = spanCell((at - first.at) / (end - first.at), (until - at) / (end - first.at));
    return markup`<td class="time">${timeText(started)}</td><td class="what">${title}</td>${took}${span}`;
  });
  return markup`<h2>Time</h2>${table(["time (UTC)", "phase", "took", ""], rows)}\n`;
}

function toolFigures({ tools }: ExportedSession["stats"]): Content {
  return tools.length === 0 ? "" : markup`<h2>Tools</h2>${toolTable(tools)}\n`;
}

function engineFigures({ engines }: ExportedSession["stats"]): Content {
  if (engines.length === 0) return "";
  const rows = engines.map(({ engine, rounds, tokens_used, cost_usd }) => {
    const figures = [rounds === 0 ? "" : String(rounds), tokensText(tokens_used), costText(cost_usd)].map(numberCell);
    return markup`<td>${engine ?? "not known"}</td>${figures}`;
  });
  return markup`<h2>Engines</h2>${table(["engine", "rounds", "tokens", "cost"], rows)}\n`;
}

function childFigures(stats: ExportedSession["stats"]): Content {
  if (stats.children.length === 0) return "";
  const all = [{ ...stats, depth: 0 }, ...stats.children];
  const mostCost = Math.max(...all.map((each) => each.cost_usd ?? 0));
  const mostTime = Math.max(...all.map((each) => each.duration_ms ?? 0));
  const rows = all.map(({ depth, title, session_id, status, tokens_used, cost_usd, duration_ms }) => {
    const name = markup`<td class="what">${"· ".repeat(depth)}${title}<br><code>${session_id}</code></td><td>${status}</td>`;
    const cost = markup`${numberCell(costText(cost_usd))}${barCell((cost_usd ?? 0) / mostCost)}`;
    const time = markup`${numberCell(durationText(duration_ms))}${barCell((duration_ms ?? 0) / mostTime, "time")}`;
    return markup`${name}${numberCell(tokensText(tokens_used))}${cost}${time}`;
  });
  return markup`<h2>Subagents</h2>${table(["session", "status", "tokens", "cost", "", "duration", ""], rows)}\n`;
}

function breadcrumbTable(breadcrumbs: NonNullable<ExportedSession["breadcrumbs"]>): Markup {
  const mostCost = Math.max(...breadcrumbs.map((each) => each.cost_usd ?? 0));
  const rows = breadcrumbs.map((each) => {
    const { tools_called: tools = [], files_modified: files = [], tokens, cost_usd, duration_ms } = each;
    const calls = tools.map(
      ({ name, about, failed }) => markup`<pre>${failed ? "✗ " : ""}${name} ${about ?? ""}</pre>`,
    );
    const changed = files.length === 0 ? "" : markup`<div class="result">${files.join(", ")}</div>`;
    const what = markup`<td class="what"><div class="text">${each.response ?? ""}</div>${calls}${changed}</td>`;
    const used = numberCell(tokens ? tokensText(tokens.input + tokens.output) : "");
    const cost = markup`${numberCell(cost_usd === undefined ? "" : costText(cost_usd))}${barCell((cost_usd ?? 0) / mostCost)}`;
    const took = numberCell(duration_ms === undefined ? "" : durationText(duration_ms));
    return markup`<td class="time">${timeText(each.timestamp)}</td><td>${"· ".repeat(each.depth)}${each.kind}</td>${what}${used}${cost}${took}`;
  });
  return markup`<h2>Breadcrumbs</h2>${table(["time (UTC)", "kind", "what", "tokens", "cost", "", "took"], rows)}`;
}

function timelineTable(timeline: ExportedSession["timeline"]): Markup {
  const rows = timeline.map(({ at, kind, breadcrumb, text, failed }) => {
    const name = breadcrumb ?? kind;
    const label = failed ? markup`<span class="bad">${name} ✗</span>` : name;
    return markup`<td class="time">${timeText(at)}</td><td>${label}</td><td class="what">${shortened(text)}</td>`;
  });
  const events = table(["time (UTC)", "", "what"], rows);
  return markup`<h2>Timeline</h2><details><summary>${String(timeline.length)} events</summary>${events}</details>`;
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}
