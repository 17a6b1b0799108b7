import type { ListedSession, SessionList, SessionStats, StatsGroup } from "../../contract/api/session-list.ts";
import { notAPlace, type PageRequest } from "../../contract/page.ts";
import type { GroupBy, RowFilter, RowPlace, SessionRow } from "../../contract/session-row.ts";
import { placeOf } from "../../session/index/filter.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";
import type { Show } from "./show.ts";

/** So many are listed unless somebody wants more or less. */
const usualLimit = 50;

/** What is for looking things up, and not for showing. */
type Lookup = "engines" | "archived" | "check" | "channels" | "agent_tokens" | "channel_tokens";

/** A row as lists show it: without what only the index needs. */
export function listedSession(row: SessionRow, records: Pick<SessionRecords, "path">): ListedSession {
  return { ...listed(row), path: records.path(row.session_id) };
}

type ListRequest = Omit<RowFilter, "after"> & PageRequest;

/** Questions over many sessions, answered from the index. */
export class Lists {
  readonly #openSessions: OpenSessions;
  readonly #projections: Projections;
  readonly #records: SessionRecords;
  readonly #show: Show;

  constructor(openSessions: OpenSessions, projections: Projections, records: SessionRecords, show: Show) {
    this.#openSessions = openSessions;
    this.#projections = projections;
    this.#records = records;
    this.#show = show;
  }

  /** `after` is the `next` of the page before. */
  async list({ limit = usualLimit, after, ...wanted }: ListRequest): Promise<SessionList> {
    const filter = { ...wanted, after: after === undefined ? undefined : readNext(after) };
    await this.#current();
    const [found, unreadable] = await this.#projections.ask(
      (index) => [index.newest(filter, limit + 1), index.unreadable()] as const,
    );
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return {
      sessions: rows.map((row) => listedSession(row, this.#records)),
      unreadable: unreadable.map(({ path, reason }) => ({ path, reason })),
      ...(last && { next: nextOf(last) }),
    };
  }

  /** The newest, as the index has them; none where there is no index yet. */
  async names(limit: number): Promise<{ session_id: string; title: string }[]> {
    const rows = await this.#projections.ask((index) => (index.exists() ? index.newest({}, limit) : []));
    return rows.map(({ session_id, title }) => ({ session_id, title }));
  }

  async groups(by: GroupBy): Promise<StatsGroup[]> {
    await this.#current();
    await this.#projections.warnOfUnreadable();
    return this.#projections.ask((index) => index.totals(by));
  }

  async ofSession(id: string): Promise<SessionStats> {
    const { frontmatter, phases } = await this.#show.document(id);
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
  async #current(): Promise<void> {
    await this.#openSessions.bringUpToDate();
    await this.#projections.refresh();
  }
}

/** Names the last session of a page, so that the next one goes on behind it, whatever was started meanwhile. */
function nextOf(row: SessionRow): string {
  const { startedMs, session_id } = placeOf(row);
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
  ...row
}: SessionRow): Omit<SessionRow, Lookup> {
  return row;
}
