import type { StatsGroup } from "../../contract/api/session-list.ts";
import type { GroupBy, HeldGroupBy, SessionRow, TokenShare } from "../../contract/session-row.ts";
import { readCells, writeLine } from "./cell.ts";
import { compareIds } from "./entry.ts";
import { instantMs } from "./instant.ts";
import type { TableForm } from "./table.ts";

/** Sums of one group. Within a shard they are exact, in whatever order sessions are added and taken away. */
const noTotals = {
  sessions: 0,
  tokensUsed: 0,
  /** Sessions whose tokens here are known. */
  withTokens: 0,
  /** Whole millionths of a dollar: these add up exactly. */
  costMicroUsd: 0,
  withCost: 0,
  durationMs: 0,
  /** Sessions with a duration. */
  ended: 0,
  failed: 0,
};
type GroupTotals = typeof noTotals;

/** The group of the sessions that name no agent, channel, engine, bead or branch. */
const noKey = "(none)";
/** The group of what was done for beads that are not merged, or for none. */
const notMerged = "(not merged)";

/** In the order of `fields`. */
const columns = Object.keys(noTotals) as (keyof GroupTotals)[];
const fields = "key,sessions,tokens_used,with_tokens,cost_micro_usd,with_cost,duration_ms,ended,failed";

export const totalsTables: Record<HeldGroupBy, TableForm> = {
  agent: { key: "by_agent", fields },
  channel: { key: "by_channel", fields },
  status: { key: "by_status", fields },
  engine: { key: "by_engine", fields },
};

/** What of a session belongs to one of its groups; null where that is not known. */
interface Share {
  tokens: number | null;
  costUsd: number | null;
}

/** A session counts in the group of each agent, channel and engine that it names; of its tokens, each group has its own. */
const sharesOf: Record<GroupBy, (row: SessionRow) => Map<string, Share>> = {
  agent: (row) => sharesAmong(row.participants, row.agent_tokens, row.cost_usd),
  channel: (row) => sharesAmong(row.channels, row.channel_tokens, row.cost_usd),
  status: (row) => wholeOf(row, row.status),
  engine: (row) => sharesAmong(row.engines, engineTokens(row), row.cost_usd),
  bead: (row) => wholeOf(row, row.bead ?? noKey),
  branch: (row) => wholeOf(row, row.branch ?? noKey),
  // Only a look at all sessions tells which beads are merged: see `ofMerges`.
  merge: (row) => wholeOf(row, row.bead ?? notMerged),
};

function wholeOf({ tokens_used, cost_usd }: SessionRow, key: string): Map<string, Share> {
  return new Map([[key, { tokens: tokens_used, costUsd: cost_usd }]]);
}

/** Which of several engines used the tokens is not known. */
function engineTokens({ engines, tokens_used }: SessionRow): TokenShare[] {
  const [only = null, ...others] = new Set(engines);
  return tokens_used === null ? [] : [{ name: others.length === 0 ? only : null, tokens: tokens_used }];
}

function sharesAmong(names: string[], tokens: TokenShare[], costUsd: number | null): Map<string, Share> {
  const shares = new Map<string, Share>(names.map((name) => [name, { tokens: null, costUsd: null }]));
  const shareOf = (key: string): Share => {
    const share = shares.get(key) ?? { tokens: null, costUsd: null };
    shares.set(key, share);
    return share;
  };
  for (const { name, tokens: used } of tokens) {
    const share = shareOf(name ?? noKey);
    share.tokens = (share.tokens ?? 0) + used;
  }
  if (shares.size === 0) shareOf(noKey);
  if (costUsd !== null) shareOf(shares.size === 1 ? [...shares.keys()][0]! : noKey).costUsd = costUsd;
  return shares;
}

/** The totals of some sessions in one grouping. */
export class Totals {
  readonly #by: GroupBy;
  readonly #groups = new Map<string, GroupTotals>();

  constructor(by: GroupBy) {
    this.#by = by;
  }

  /** By bead, as far as one of its runs has landed: what failed on the way there was done for it, too. */
  static ofMerges(rows: Iterable<SessionRow>): Totals {
    const byBead = new Totals("merge");
    const mergedBeads = new Set<string>();
    for (const row of rows) {
      byBead.add(row, 1);
      if (row.merged && row.bead !== null) mergedBeads.add(row.bead);
    }
    const totals = new Totals("merge");
    for (const [key, sum] of byBead.#groups) totals.#add(mergedBeads.has(key) ? key : notMerged, sum);
    return totals;
  }

  /** Counts a session in its groups, or takes it away again with `times` -1. */
  add(row: SessionRow, times: 1 | -1): void {
    const part = partOf(row, times);
    for (const [key, { tokens, costUsd }] of sharesOf[this.#by](row)) {
      this.#add(key, {
        ...part,
        tokensUsed: times * clampCount(tokens ?? 0),
        withTokens: tokens === null ? 0 : times,
        costMicroUsd: times * clampCount((costUsd ?? 0) * 1e6),
        withCost: costUsd === null ? 0 : times,
      });
    }
  }

  addLine(line: string): void {
    const cells = readCells(line);
    this.#add(cells[0] ?? "", {
      sessions: Number(cells[1]),
      tokensUsed: Number(cells[2]),
      withTokens: Number(cells[3]),
      costMicroUsd: Number(cells[4]),
      withCost: Number(cells[5]),
      durationMs: Number(cells[6]),
      ended: Number(cells[7]),
      failed: Number(cells[8]),
    });
  }

  /** Keys in ascending order. */
  lines(): string[] {
    return this.#sorted().map(([key, sum]) => writeLine([key, ...columns.map((column) => sum[column])]));
  }

  /** What `stats --by` shows: the largest group first, ties by key. */
  stats(): StatsGroup[] {
    return this.#sorted()
      .sort(([, a], [, b]) => b.sessions - a.sessions)
      .map(([key, sum]) => ({
        key,
        sessions: sum.sessions,
        tokens_used: sum.withTokens === 0 ? null : sum.tokensUsed,
        cost_usd: sum.withCost === 0 ? null : sum.costMicroUsd / 1e6,
        avg_duration_ms: sum.ended === 0 ? null : Math.round(sum.durationMs / sum.ended),
        failure_rate: sum.failed / sum.sessions,
      }));
  }

  #add(key: string, part: GroupTotals): void {
    let sum = this.#groups.get(key);
    if (!sum) this.#groups.set(key, (sum = { ...noTotals }));
    // One by one, not by name in a loop: this runs for every group of every shard.
    sum.sessions += part.sessions;
    sum.tokensUsed += part.tokensUsed;
    sum.withTokens += part.withTokens;
    sum.costMicroUsd += part.costMicroUsd;
    sum.withCost += part.withCost;
    sum.durationMs += part.durationMs;
    sum.ended += part.ended;
    sum.failed += part.failed;
    if (sum.sessions === 0) this.#groups.delete(key);
  }

  #sorted(): [string, GroupTotals][] {
    return [...this.#groups].sort(([a], [b]) => compareIds(a, b));
  }
}

/** What one session adds to each of its groups, but for tokens and cost. */
function partOf(row: SessionRow, times: 1 | -1): Pick<GroupTotals, "sessions" | "durationMs" | "ended" | "failed"> {
  const durationMs = row.ended === null ? -Infinity : instantMs(row.ended) - instantMs(row.started);
  const ended = Number.isFinite(durationMs);
  return {
    sessions: times,
    durationMs: ended ? times * clampCount(durationMs) : 0,
    ended: ended ? times : 0,
    failed: row.status === "failed" ? times : 0,
  };
}

/** Whole numbers of at most 300 years or ten million million tokens: a shard full of them still adds up exactly. */
const maxCount = 1e13;

function clampCount(value: number): number {
  return Math.round(Math.min(Math.max(value, -maxCount), maxCount));
}
