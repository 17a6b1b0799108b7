import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { TimelineEvent } from "../../contract/api/session-report.ts";
import type { Frontmatter } from "../../contract/session.ts";
import { engineSessionsIn, enginesIn } from "../../session/engine-sessions.ts";
import { parseItems } from "../../session/parse.ts";
import { itemEvents } from "../../session/timeline.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import type { SessionParts } from "./parts.ts";
import { byTime, withCallTimes } from "./timeline-order.ts";

/** What happened in a session, by time. */
export async function timelineOf(
  { records, breadcrumbs: files }: Pick<SessionParts, "records" | "breadcrumbs">,
  id: string,
): Promise<TimelineEvent[]> {
  const { text, bodyStart, frontmatter } = await records.read(id);
  const { breadcrumbs } = await files.list(id);
  const started: TimelineEvent = { at: frontmatter.started, kind: "started", text: frontmatter.title };
  const items = withCallTimes(itemEvents(parseItems(text.slice(bodyStart))), breadcrumbs);
  const others = [
    ...engineEvents(records.transcriptNames(id), frontmatter, breadcrumbs),
    ...breadcrumbEvents(breadcrumbs),
  ];
  return [...byTime([started, ...items], others, breadcrumbs), ...endOf(frontmatter)];
}

/** Transcripts tell when an engine was started, breadcrumbs when it was first heard of. */
function engineEvents(names: string[], frontmatter: Frontmatter, breadcrumbs: Breadcrumb[]): TimelineEvent[] {
  const starts = names.flatMap((name) => transcriptStart(name) ?? []).toSorted((a, b) => a.atMs - b.atMs);
  if (starts.length > 0) {
    return starts.map(({ engine, atMs, label }, at) => {
      const before = starts[at - 1]?.engine;
      const change = before === undefined || before === engine ? "" : ` (after ${before})`;
      return { at: new Date(atMs).toISOString(), kind: "engine", text: `${engine} ${label}`.trim() + change };
    });
  }
  const first = new Map<string, Breadcrumb>();
  for (const each of breadcrumbs) {
    const session = each.engine_session ?? each.engine;
    if (session !== undefined && !first.has(session)) first.set(session, each);
  }
  if (first.size > 0) {
    return [...first].map(([session, { timestamp, engine = session }]) => ({
      at: timestamp,
      kind: "engine",
      text: engine === session ? engine : `${engine} ${session}`,
    }));
  }
  const named = engineSessionsIn(frontmatter);
  const nameless = enginesIn(frontmatter).filter((engine) => named.every((each) => each.engine !== engine));
  return [...nameless, ...named.map(({ engine, session }) => `${engine} ${session}`)].map((text) => ({
    at: null,
    kind: "engine",
    text,
  }));
}

function breadcrumbEvents(breadcrumbs: Breadcrumb[]): TimelineEvent[] {
  let task: string | undefined;
  return breadcrumbs.flatMap((each): TimelineEvent[] => {
    const {
      timestamp: at,
      kind,
      depth,
      tokens,
      cost_usd,
      duration_ms,
      response,
      tools_called: tools = [],
      prompt,
    } = each;
    const isNewTask = each.task !== undefined && each.task !== task;
    task = each.task ?? task;
    const calls = tools.map(({ name, about }) => (about === undefined ? name : `${name} ${about}`)).join(", ");
    return [
      ...(isNewTask ? [{ at, kind: "task" as const, text: `works on ${each.task!}` }] : []),
      {
        at,
        kind: "breadcrumb",
        text: response ?? (calls === "" ? (prompt ?? "") : calls),
        breadcrumb: kind,
        depth,
        ...(tools.some(({ failed }) => failed) && { failed: true as const }),
        ...(tokens && { tokens: tokens.input + tokens.output }),
        ...(cost_usd !== undefined && { cost_usd }),
        ...(duration_ms !== undefined && { duration_ms }),
      },
    ];
  });
}

function endOf({ status, ended, error, resume_point, paused }: Frontmatter): TimelineEvent[] {
  if (status === "active") return [];
  const why = error === undefined ? "" : `: ${error}`;
  if (status === "paused") {
    const where = resume_point === undefined ? "" : `, resumes at ${resume_point}`;
    const at = typeof paused === "string" && !Number.isNaN(Date.parse(paused)) ? paused : null;
    return [{ at, kind: "paused", text: `paused${where}${why}` }];
  }
  return [
    {
      at: ended ?? null,
      kind: "ended",
      text: `${status}${why}`,
      ...(status === "failed" && { failed: true as const }),
    },
  ];
}
