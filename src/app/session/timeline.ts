import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { TimelineEvent } from "../../contract/api/session-report.ts";
import type { Frontmatter } from "../../contract/session.ts";
import { parseItems } from "../../session/parse.ts";
import { itemEvents } from "../../session/timeline.ts";
import type { SessionParts } from "./parts.ts";

/** What happened in a session, by time. */
export async function timelineOf(
  { records, breadcrumbs: files }: Pick<SessionParts, "records" | "breadcrumbs">,
  id: string,
): Promise<TimelineEvent[]> {
  const { text, bodyStart, frontmatter } = await records.read(id);
  const { breadcrumbs } = await files.list(id);
  const events = [
    { at: frontmatter.started, kind: "started" as const, text: frontmatter.title },
    ...itemEvents(parseItems(text.slice(bodyStart))),
    ...engineEvents(records.transcriptNames(id), frontmatter, breadcrumbs),
    ...breadcrumbEvents(breadcrumbs),
  ];
  return [...sorted(events, frontmatter.started), ...endOf(frontmatter)];
}

/** What has no time of its own stays behind what it stands after. */
function sorted(events: TimelineEvent[], started: string): TimelineEvent[] {
  let lastMs = Date.parse(started);
  const placed = events.map((event, order) => {
    const ms = event.at === null ? NaN : Date.parse(event.at);
    if (!Number.isNaN(ms)) lastMs = ms;
    return { event, ms: lastMs, order };
  });
  return placed.sort((a, b) => a.ms - b.ms || a.order - b.order).map(({ event }) => event);
}

/** Transcripts tell when an engine was started, breadcrumbs when it was first heard of. */
function engineEvents(
  names: string[],
  { engine_sessions = [] }: Frontmatter,
  breadcrumbs: Breadcrumb[],
): TimelineEvent[] {
  const starts = names.flatMap((name) => engineStart(name) ?? []);
  if (starts.length > 0) return starts.toSorted((a, b) => (a.at! < b.at! ? -1 : 1));
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
  return engine_sessions.flatMap((each) => {
    const { engine, session } = (each ?? {}) as { engine?: unknown; session?: unknown };
    if (typeof engine !== "string") return [];
    return [{ at: null, kind: "engine" as const, text: typeof session === "string" ? `${engine} ${session}` : engine }];
  });
}

function engineStart(name: string): TimelineEvent | undefined {
  const [, engine, day, hour, minute, second, label] =
    /^([a-z0-9][\w-]{0,63}?)-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z-([\w-]{0,120})\.jsonl$/i.exec(name) ?? [];
  if (engine === undefined) return undefined;
  return {
    at: `${day}T${hour}:${minute}:${second}Z`,
    kind: "engine",
    text: label === "" ? engine : `${engine} ${label}`,
  };
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

function endOf({ status, ended, error, resume_point }: Frontmatter): TimelineEvent[] {
  if (status === "active") return [];
  const why = error === undefined ? "" : `: ${error}`;
  if (status === "paused") {
    const where = resume_point === undefined ? "" : `, resumes at ${resume_point}`;
    return [{ at: null, kind: "paused", text: `paused${where}${why}` }];
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
