import type { ExportedSession } from "../../contract/api/session-report.ts";
import type { Entry } from "../../contract/session.ts";
import { renderItem } from "../render.ts";
import { plain, quote, table } from "./plain-markdown.ts";
import { costText, durationText, headFacts, timeText, tokensText } from "./words.ts";

/** A session as Markdown. Entries stand as in session.md; nothing that was logged becomes markup. */
export function markdownPage(session: ExportedSession): string {
  const { frontmatter, phases, tasks, breadcrumbs = [], timeline, stats, preamble, summary } = session;
  const parts = [
    `# ${plain(frontmatter.title)}`,
    table(
      ["", ""],
      headFacts(session).map(([name, value]) => [`**${name}**`, plain(value)]),
    ),
    ...(preamble === undefined ? [] : [quote(preamble)]),
    ...(tasks.length === 0
      ? []
      : [
          [
            "## Tasks",
            "",
            ...tasks.map(({ status, content }) => `- [${status === "completed" ? "x" : " "}] ${plain(content)}`),
          ].join("\n"),
        ]),
    ...phases.map((phase) => {
      const who = phase.agent === null ? "" : ` @${plain(phase.agent)}`;
      const entries = phase.entries.map((entry, at) => {
        const isInList = entry.kind === "tool" && phase.entries[at - 1]?.kind === "tool";
        return (isInList ? "\n" : "\n\n") + entryText(entry);
      });
      return `## ${plain(phase.title)}${who}${entries.join("")}`;
    }),
    ...(summary === undefined ? [] : [`## Summary\n\n${quote(summary)}`]),
    ...figures(stats),
    ...(breadcrumbs.length === 0
      ? []
      : [
          `## Breadcrumbs\n\n${table(
            ["time (UTC)", "depth", "kind", "tools", "tokens", "cost", "took", "what"],
            breadcrumbs.map((each) => [
              timeText(each.timestamp),
              String(each.depth),
              each.kind,
              String(each.tools_called?.length ?? 0),
              each.tokens ? tokensText(each.tokens.input + each.tokens.output) : "",
              each.cost_usd === undefined ? "" : costText(each.cost_usd),
              each.duration_ms === undefined ? "" : durationText(each.duration_ms),
              plain(each.response ?? each.tools_called?.map(({ name }) => name).join(", ") ?? ""),
            ]),
          )}`,
        ]),
    `## Timeline\n\n${table(
      ["time (UTC)", "", "what"],
      timeline.map(({ at, kind, breadcrumb, text, failed }) => [
        timeText(at),
        `${breadcrumb ?? kind}${failed ? " ✗" : ""}`,
        plain(text),
      ]),
    )}`,
  ];
  return parts.join("\n\n");
}

function figures({ tools, engines, children }: ExportedSession["stats"]): string[] {
  return [
    ...(tools.length === 0
      ? []
      : [
          `## Tools\n\n${table(
            ["tool", "calls", "failed"],
            tools.map(({ name, calls, failed }) => [plain(name), String(calls), String(failed)]),
          )}`,
        ]),
    ...(engines.length === 0
      ? []
      : [
          `## Engines\n\n${table(
            ["engine", "rounds", "tokens", "cost"],
            engines.map(({ engine, rounds, tokens_used, cost_usd }) => [
              plain(engine ?? "not known"),
              String(rounds),
              tokensText(tokens_used),
              costText(cost_usd),
            ]),
          )}`,
        ]),
    ...(children.length === 0
      ? []
      : [
          `## Subagents\n\n${table(
            ["session", "status", "tokens", "cost", "duration", "title"],
            children.map((child) => [
              `${"· ".repeat(child.depth - 1)}${child.session_id}`,
              child.status,
              tokensText(child.tokens_used),
              costText(child.cost_usd),
              durationText(child.duration_ms),
              plain(child.title),
            ]),
          )}`,
        ]),
  ];
}

function entryText(entry: Entry): string {
  return renderItem(entry, entry.kind === "tool" ? "tools" : "other").trim();
}
