import type { Frontmatter } from "../contract/session.ts";
import type { GroupBy, RowFilter, SessionRow, StatsGroup, UnreadableSession } from "../contract/session-row.ts";
import type { SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";
import type { Sessions } from "./sessions.ts";
import type { Show } from "./show.ts";

/** What is for looking things up, and not for showing. */
type Lookup = "engines" | "archived" | "check" | "channels" | "agent_tokens" | "channel_tokens";

export interface ListedSession extends Omit<SessionRow, Lookup> {
  path: string;
}

export interface SessionList {
  sessions: ListedSession[];
  unreadable: Omit<UnreadableSession, "session_id">[];
}

/** A row as lists show it: without what only the index needs. */
export function listedSession(row: SessionRow, records: Pick<SessionRecords, "path">): ListedSession {
  return { ...listed(row), path: records.path(row.session_id) };
}

/** What one session adds up to. */
export interface SessionStats {
  session_id: string;
  title: string;
  status: string;
  duration_ms: number | null;
  tokens_used: number | null;
  cost_usd: number | null;
  phases: number;
  tool_calls: number;
  failed_tool_calls: number;
  decisions: number;
  errors: number;
  user_messages: number;
  tools: { name: string; calls: number; failed: number }[];
  subagents: NonNullable<Frontmatter["subagents"]>;
}

/** Questions over many sessions, answered from the index. */
export class Lists {
  private readonly sessions: Sessions;
  private readonly projections: Projections;
  private readonly records: SessionRecords;
  private readonly show: Show;

  constructor(sessions: Sessions, projections: Projections, records: SessionRecords, show: Show) {
    this.sessions = sessions;
    this.projections = projections;
    this.records = records;
    this.show = show;
  }

  async list(filter: RowFilter, limit: number): Promise<SessionList> {
    await this.current();
    const [rows, unreadable] = await this.projections.ask(
      (index) => [index.newest(filter, limit), index.unreadable()] as const,
    );
    return {
      sessions: rows.map((row) => listedSession(row, this.records)),
      unreadable: unreadable.map(({ path, reason }) => ({ path, reason })),
    };
  }

  async groups(by: GroupBy): Promise<StatsGroup[]> {
    await this.current();
    return this.projections.ask((index) => index.totals(by));
  }

  async ofSession(id: string): Promise<SessionStats> {
    const { frontmatter, phases } = await this.show.document(id);
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
  private async current(): Promise<void> {
    await this.sessions.foldOpen();
    await this.projections.refresh();
  }
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
