import type { ListedSession, SessionList, StatsGroup } from "../../contract/api/session-list.ts";
import type { PeriodRequest } from "../../contract/api/session-period.ts";
import { ClewError } from "../../contract/errors.ts";
import { cursorAt, notAPlace, readCursor, type PageRequest } from "../../contract/page.ts";
import type { GroupBy, RowFilter, RowPlace, SessionRow } from "../../contract/session-row.ts";
import { rowPlace } from "../../session/index/filter.ts";
import { totalsOf } from "../../session/index/totals.ts";
import { readPast } from "../../text/moment.ts";
import { bringUpToDate } from "./open-sessions.ts";
import type { SessionParts } from "./parts.ts";
import type { SessionRecords } from "./ports.ts";

const defaultLimit = 50;

/** What is for looking things up, and not for showing. */
type Lookup = ("engines" | "archived" | "check" | "channels" | "used") | ("parent" | "bead" | "branch" | "merged");

/** A row as lists show it: without what only the index needs. */
export function toListedSession(row: SessionRow, records: Pick<SessionRecords, "path">): ListedSession {
  const { parent, session_id } = row;
  return { ...listed(row), ...(parent !== null && { parent }), path: records.path(session_id) };
}

type ListRequest = Omit<RowFilter, "after"> & PageRequest;

/** Answered from the index, newest first. `after` is the `next` of the page before. Throws when `since` cannot be read. */
export async function listSessions(
  parts: SessionParts,
  { limit = defaultLimit, after, ...filters }: ListRequest,
): Promise<SessionList> {
  const filter = {
    ...toIndexFilter(filters, parts.clock.now()),
    after: after === undefined ? undefined : readNext(after),
  };
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

/** What is asked for, in the words of the index. */
export function toIndexFilter(
  { status, agent, channel, since, ...others }: Omit<RowFilter, "after">,
  nowMs: number,
): Omit<RowFilter, "after"> {
  return {
    ...others,
    status: status === "running" ? "active" : status,
    agent: agent?.replace(/^@/, ""),
    channel: channel?.replace(/^#/, ""),
    since: since === undefined ? undefined : instantOf("since", since, nowMs),
  };
}

/** Throws, with the name of the field, when the text is no moment that was. */
function instantOf(field: string, text: string, nowMs: number): string {
  const ms = readPast(text, nowMs);
  if (ms !== undefined) return new Date(ms).toISOString();
  const message = `${field}: ${JSON.stringify(text.slice(0, 100))} is no date such as 2026-11-01, and no time ago`;
  throw new ClewError("invalid_input", message, "such as 2026-11-01, 2026-11-01T09:00:00Z, today, 1d, 2w or 12h");
}

/** The newest, as the index has them; none where there is no index yet. */
export async function sessionNames(
  { projections }: Pick<SessionParts, "projections">,
  limit: number,
): Promise<{ session_id: string; title: string }[]> {
  const rows = await projections.ask((index) => (index.exists() ? index.newest({}, limit) : []));
  return rows.map(({ session_id, title }) => ({ session_id, title }));
}

/** What all sessions add up to, or those of a period. */
export async function totalsBy(parts: SessionParts, by: GroupBy, period: PeriodRequest): Promise<StatsGroup[]> {
  const isPeriod = Object.values(period).some((each) => each !== undefined);
  if (isPeriod) return totalsOf(await rowsOfPeriod(parts, period), by);
  await bringIndexUpToDate(parts);
  await parts.projections.warnOfUnreadable();
  return parts.projections.ask((index) => index.totals(by));
}

/** The sessions of a period, newest first. */
export async function rowsOfPeriod(parts: SessionParts, period: PeriodRequest): Promise<SessionRow[]> {
  const { filter, end } = readPeriod(period, parts.clock.now());
  await bringIndexUpToDate(parts);
  await parts.projections.warnOfUnreadable();
  const rows = await parts.projections.ask((index) => index.newest(filter, Infinity));
  return end === null ? rows : rows.filter(({ started }) => Date.parse(started) < Date.parse(end));
}

/** Throws when its end is not after its beginning, or no moment that was. */
export function readPeriod(
  { until, ...filters }: PeriodRequest,
  nowMs: number,
): { filter: Omit<RowFilter, "after">; end: string | null } {
  const filter = toIndexFilter(filters, nowMs);
  const end = until === undefined ? null : instantOf("until", until, nowMs);
  if (end !== null && filter.since !== undefined && end <= filter.since)
    throw new ClewError("invalid_input", `until (${end}) is not after since (${filter.since})`, "turn them round");
  return { filter, end };
}

/** No reader lags behind an acknowledged entry. */
export async function bringIndexUpToDate(parts: SessionParts): Promise<void> {
  await bringUpToDate(parts);
  await parts.projections.refresh();
}

/** Names the last session of a page, so that the next one goes on behind it, whatever was started meanwhile. */
function nextOf(row: SessionRow): string {
  const { startedMs, session_id } = rowPlace(row);
  return cursorAt(startedMs, session_id);
}

function readNext(text: string): RowPlace {
  const [started, session_id = ""] = readCursor(text, 2);
  const startedMs = Number(started);
  if (Number.isNaN(startedMs)) throw notAPlace(text);
  return { startedMs, session_id };
}

function listed({
  engines,
  archived,
  check,
  channels,
  used,
  parent,
  bead,
  branch,
  merged,
  ...row
}: SessionRow): Omit<SessionRow, Lookup> {
  return row;
}
