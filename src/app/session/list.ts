import type { ListedSession, SessionList, SessionStats, StatsGroup } from "../../contract/api/session-list.ts";
import { notAPlace, type PageRequest } from "../../contract/page.ts";
import type { GroupBy, RowFilter, RowPlace, SessionRow } from "../../contract/session-row.ts";
import { rowPlace } from "../../session/index/filter.ts";
import { bringUpToDate } from "./open-sessions.ts";
import type { SessionParts } from "./parts.ts";
import type { SessionRecords } from "./ports.ts";
import { showSession, type ShowParts } from "./show.ts";

const defaultLimit = 50;

/** What is for looking things up, and not for showing. */
type Lookup =
  | ("engines" | "archived" | "check" | "channels" | "agent_tokens" | "channel_tokens")
  | ("parent" | "bead" | "branch" | "merged");

/** A row as lists show it: without what only the index needs. */
export function toListedSession(row: SessionRow, records: Pick<SessionRecords, "path">): ListedSession {
  return { ...listed(row), path: records.path(row.session_id) };
}

type ListRequest = Omit<RowFilter, "after"> & PageRequest;

/** Answered from the index, newest first. `after` is the `next` of the page before. */
export async function listSessions(
  parts: SessionParts,
  { limit = defaultLimit, after, ...filters }: ListRequest,
): Promise<SessionList> {
  const filter = { ...filters, after: after === undefined ? undefined : readNext(after) };
  await bringIndexUpToDate(parts);
  const [matches, unreadable] = await parts.projections.ask(
    (index) => [index.newest(filter, limit + 1), index.unreadable()] as const,
  );
  const rows = matches.slice(0, limit);
  const last = matches.length > limit ? rows.at(-1) : undefined;
  return {
    sessions: rows.map((row) => toListedSession(row, parts.records)),
    unreadable: unreadable.map(({ path, reason }) => ({ path, reason })),
    ...(last && { next: nextOf(last) }),
  };
}

/** The newest, as the index has them; none where there is no index yet. */
export async function sessionNames(
  { projections }: Pick<SessionParts, "projections">,
  limit: number,
): Promise<{ session_id: string; title: string }[]> {
  const rows = await projections.ask((index) => (index.exists() ? index.newest({}, limit) : []));
  return rows.map(({ session_id, title }) => ({ session_id, title }));
}

export async function totalsBy(parts: SessionParts, by: GroupBy): Promise<StatsGroup[]> {
  await bringIndexUpToDate(parts);
  await parts.projections.warnOfUnreadable();
  return parts.projections.ask((index) => index.totals(by));
}

export async function statsOf(parts: ShowParts, id: string): Promise<SessionStats> {
  const { frontmatter, phases } = await showSession(parts, id);
  const entries = phases.flatMap((phase) => phase.entries);
  const calls = entries.filter((entry) => entry.kind === "tool");
  const tools = new Map<string, { name: string; calls: number; failed: number }>();
  for (const { name, failed } of calls) {
    const tool = tools.get(name) ?? { name, calls: 0, failed: 0 };
    tools.set(name, { name, calls: tool.calls + 1, failed: tool.failed + (failed ? 1 : 0) });
  }
  const count = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
  return {
    session_id: id,
    title: frontmatter.title,
    status: frontmatter.status,
    duration_ms:
      frontmatter.ended === undefined ? null : Date.parse(frontmatter.ended) - Date.parse(frontmatter.started),
    tokens_used: frontmatter.tokens_used ?? null,
    cost_usd: frontmatter.cost_usd ?? null,
    phases: phases.length,
    tool_calls: calls.length,
    failed_tool_calls: calls.filter((call) => call.failed).length,
    decisions: count("decision"),
    errors: count("error"),
    user_messages: count("user"),
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
    subagents: frontmatter.subagents ?? [],
  };
}

/** No reader lags behind an acknowledged entry. */
async function bringIndexUpToDate(parts: SessionParts): Promise<void> {
  await bringUpToDate(parts);
  await parts.projections.refresh();
}

/** Names the last session of a page, so that the next one goes on behind it, whatever was started meanwhile. */
function nextOf(row: SessionRow): string {
  const { startedMs, session_id } = rowPlace(row);
  return `${startedMs}/${session_id}`;
}

function readNext(text: string): RowPlace {
  const [, started, session_id] = /^(-?(?:\d{1,16}|Infinity))\/([^/]+)$/.exec(text) ?? [];
  if (started !== undefined && session_id !== undefined) return { startedMs: Number(started), session_id };
  throw notAPlace(text);
}

function listed({
  engines,
  archived,
  check,
  channels,
  agent_tokens,
  channel_tokens,
  parent,
  bead,
  branch,
  merged,
  ...row
}: SessionRow): Omit<SessionRow, Lookup> {
  return row;
}
