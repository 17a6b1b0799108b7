import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { TimelineEvent } from "../../contract/api/session-report.ts";
import type { Frontmatter } from "../../contract/session.ts";
import { engineSessionsIn, enginesIn } from "../../session/engine-sessions.ts";
import type { Item } from "../../session/items.ts";
import { parseItems } from "../../session/parse.ts";
import { itemEvents, type TimeOfSubagent } from "../../session/timeline.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import { addToList } from "../../text/add-to-list.ts";
import { breadcrumbsOf } from "./breadcrumbs-of.ts";
import { withCallTimes } from "./call-times.ts";
import type { SessionParts } from "./parts.ts";
import { byTime } from "./timeline-order.ts";

type Parts = Pick<SessionParts, "records" | "breadcrumbs" | "projections">;

/** What happened in a session, by time. */
export async function timelineOf(parts: Parts, id: string): Promise<TimelineEvent[]> {
  const { records } = parts;
  const { text, bodyStart, frontmatter } = await records.read(id);
  const body = parseItems(text.slice(bodyStart));
  const breadcrumbs = await breadcrumbsOf(parts, id, frontmatter, body);
  const started: TimelineEvent = { at: frontmatter.started, kind: "started", text: frontmatter.title };
  const items = withCallTimes(itemEvents(body, await subagentTimes(parts, body)), breadcrumbs);
  const engines = engineEvents(records.transcriptNames(id), breadcrumbs);
  const named = engines.length === 0 ? withEngines(items, frontmatter) : items;
  return [
    started,
    ...byTime(named, [...engines, ...breadcrumbEvents(breadcrumbs)], breadcrumbs),
    ...endOf(frontmatter),
  ];
}

/** When the sessions of linked subagents began. One in another mode is told of when it is over. */
async function subagentTimes({ projections }: Parts, body: Item[]): Promise<TimeOfSubagent> {
  const isAny = body.some((item) => item.kind === "subagent" && item.session !== undefined);
  if (!isAny) return () => null;
  await projections.refresh();
  return projections.ask((index) => {
    const rows = new Map(
      body.flatMap((item) =>
        item.kind === "subagent" && item.session !== undefined ? [[item.session, index.get(item.session)]] : [],
      ),
    );
    return ({ session, mode }) => {
      const row = session === undefined || mode !== "link" ? undefined : rows.get(session);
      return row && !Number.isNaN(Date.parse(row.started)) ? row.started : null;
    };
  });
}

/** Transcripts tell when an engine was started, breadcrumbs when it was first heard of. */
function engineEvents(names: string[], breadcrumbs: Breadcrumb[]): TimelineEvent[] {
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
  return [...first].map(([session, { timestamp, engine = session }]) => ({
    at: timestamp,
    kind: "engine",
    text: engine === session ? engine : `${engine} ${session}`,
  }));
}

/** With the engines that frontmatter names: each before its first phase, or before all where none is its own. */
function withEngines(items: TimelineEvent[], frontmatter: Frontmatter): TimelineEvent[] {
  const named = engineSessionsIn(frontmatter);
  const nameless = enginesIn(frontmatter).filter((engine) => named.every((each) => each.engine !== engine));
  const all = [...nameless.map((engine) => ({ engine, session: "" })), ...named];
  const places = new Map<number, TimelineEvent[]>();
  for (const { engine, session } of all) {
    const place = items.findIndex(({ kind, text }) => kind === "phase" && text.endsWith(` @${engine}`));
    addToList(places, Math.max(0, place), { at: null, kind: "engine", text: `${engine} ${session}`.trim() });
  }
  const before = items.length === 0 ? (places.get(0) ?? []) : [];
  return [...before, ...items.flatMap((item, at) => [...(places.get(at) ?? []), item])];
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
  const pausedMs = typeof paused === "string" ? Date.parse(paused) : NaN;
  const endedMs = ended == null ? NaN : Date.parse(ended);
  const lastPause: TimelineEvent[] = Number.isNaN(pausedMs)
    ? []
    : [
        {
          at: paused as string,
          kind: "paused",
          text: `paused, until it was ${status}`,
          ...(endedMs >= pausedMs && { duration_ms: endedMs - pausedMs }),
        },
      ];
  return [
    ...lastPause,
    {
      at: ended ?? null,
      kind: "ended",
      text: `${status}${why}`,
      ...(status === "failed" && { failed: true as const }),
    },
  ];
}
