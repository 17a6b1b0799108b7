import type { GroupBy, SessionRow, StatsGroup, TokenShare } from "../../contract/session-row.ts";
import { readCells, writeLine } from "./cell.ts";
import { compareIds } from "./entry.ts";
import { instantMs } from "./instant.ts";
import type { TableForm } from "./table.ts";

/** Sums of one group. Within a shard they are exact, in whatever order sessions are added and taken away. */
interface GroupTotals {
  sessions: number;
  tokensUsed: number;
  durationMs: number;
  /** Sessions with a duration. */
  ended: number;
  failed: number;
}

/** The group of the sessions that name no agent, channel or engine. */
const noKey = "(none)";

const fields = "key,sessions,tokens_used,duration_ms,ended,failed";

export const totalsTables: Record<GroupBy, TableForm> = {
  agent: { key: "by_agent", fields },
  channel: { key: "by_channel", fields },
  status: { key: "by_status", fields },
  engine: { key: "by_engine", fields },
};

/** A group of which a session is one, and how many of its tokens belong there. */
type Share = readonly [key: string, tokens: number];

/** A session counts in the group of each agent, channel and engine that it names; of its tokens, each group has its own. */
const sharesOf: Record<GroupBy, (row: SessionRow) => Iterable<Share>> = {
  agent: (row) => sharesAmong(row.participants, row.agent_tokens),
  channel: (row) => sharesAmong(row.channels, row.channel_tokens),
  status: (row) => [[row.status, row.tokens_used ?? 0]],
  // Which engine used them is not known: they count for each.
  engine: (row) =>
    (row.engines.length === 0 ? [noKey] : [...new Set(row.engines)]).map((key) => [key, row.tokens_used ?? 0]),
};

function sharesAmong(names: string[], tokens: TokenShare[]): Map<string, number> {
  const shares = new Map(names.map((name) => [name, 0]));
  for (const share of tokens) {
    const key = share.name ?? noKey;
    shares.set(key, (shares.get(key) ?? 0) + share.tokens);
  }
  return shares.size === 0 ? new Map([[noKey, 0]]) : shares;
}

/** The totals of some sessions in one grouping. */
export class Totals {
  readonly #by: GroupBy;
  readonly #groups = new Map<string, GroupTotals>();

  constructor(by: GroupBy) {
    this.#by = by;
  }

  /** Counts a session in its groups, or takes it away again with `times` -1. */
  add(row: SessionRow, times: 1 | -1): void {
    const part = partOf(row, times);
    for (const [key, tokens] of sharesOf[this.#by](row)) {
      this.#add(key, { ...part, tokensUsed: times * counted(tokens) });
    }
  }

  addLine(line: string): void {
    const cells = readCells(line);
    this.#add(cells[0] ?? "", {
      sessions: Number(cells[1]),
      tokensUsed: Number(cells[2]),
      durationMs: Number(cells[3]),
      ended: Number(cells[4]),
      failed: Number(cells[5]),
    });
  }

  /** Keys in ascending order. */
  lines(): string[] {
    return this.#sorted().map(([key, sum]) =>
      writeLine([key, sum.sessions, sum.tokensUsed, sum.durationMs, sum.ended, sum.failed]),
    );
  }

  /** What `stats --by` shows: the largest group first, ties by key. */
  stats(): StatsGroup[] {
    return this.#sorted()
      .sort(([, a], [, b]) => b.sessions - a.sessions)
      .map(([key, sum]) => ({
        key,
        sessions: sum.sessions,
        tokens_used: sum.tokensUsed,
        avg_duration_ms: sum.ended === 0 ? null : Math.round(sum.durationMs / sum.ended),
        failure_rate: sum.failed / sum.sessions,
      }));
  }

  #add(key: string, part: GroupTotals): void {
    let sum = this.#groups.get(key);
    if (!sum) this.#groups.set(key, (sum = { sessions: 0, tokensUsed: 0, durationMs: 0, ended: 0, failed: 0 }));
    sum.sessions += part.sessions;
    sum.tokensUsed += part.tokensUsed;
    sum.durationMs += part.durationMs;
    sum.ended += part.ended;
    sum.failed += part.failed;
    if (sum.sessions === 0) this.#groups.delete(key);
  }

  #sorted(): [string, GroupTotals][] {
    return [...this.#groups].sort(([a], [b]) => compareIds(a, b));
  }
}

/** What one session adds to each of its groups, but for tokens. */
function partOf(row: SessionRow, times: 1 | -1): Omit<GroupTotals, "tokensUsed"> {
  const durationMs = row.ended === null ? -Infinity : instantMs(row.ended) - instantMs(row.started);
  const ended = Number.isFinite(durationMs);
  return {
    sessions: times,
    durationMs: ended ? times * counted(durationMs) : 0,
    ended: ended ? times : 0,
    failed: row.status === "failed" ? times : 0,
  };
}

/** Whole numbers of at most 300 years or ten million million tokens: a shard full of them still adds up exactly. */
const most = 1e13;

function counted(value: number): number {
  return Math.round(Math.min(Math.max(value, -most), most));
}
