import type { StatsGroup } from "../../contract/api/session-list.ts";
import type { GroupBy, HeldGroupBy, SessionRow } from "../../contract/session-row.ts";
import { readCells, writeLine } from "./cell.ts";
import { sumIfAny } from "../../text/sum-if-any.ts";
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
  costMicroUsd: number | null;
}

/** A session counts in the group of each agent, channel, engine and bead that it names; of what it used, each group has its own. */
const sharesOf: Record<GroupBy, (row: SessionRow) => Map<string, Share>> = {
  agent: (row) => sharesAmong(row.participants, row, "agent"),
  channel: (row) => sharesAmong(row.channels, row, "channel"),
  status: (row) => wholeOf(row, row.status),
  engine: (row) => sharesAmong(row.engines, row, "engine"),
  bead: (row) => sharesAmong(row.bead === null ? [] : [row.bead], row, "bead"),
  branch: (row) => wholeOf(row, row.branch ?? noKey),
  // Only a look at all sessions tells which beads are merged: see `ofMerges`.
  merge: (row) => sharesAmong(row.bead === null ? [] : [row.bead], row, "bead", notMerged),
};

function wholeOf({ tokens_used, cost_usd }: SessionRow, key: string): Map<string, Share> {
  return new Map([[key, { tokens: tokens_used, costMicroUsd: cost_usd === null ? null : cost_usd * 1e6 }]]);
}

function sharesAmong(
  names: string[],
  { used }: SessionRow,
  by: "agent" | "channel" | "engine" | "bead",
  none = noKey,
): Map<string, Share> {
  const shares = new Map<string, Share>(names.map((name) => [name, nothing]));
  for (const share of used) {
    addTo(shares, share[by] ?? none, { tokens: share.tokens, costMicroUsd: share.cost_micro_usd });
  }
  return shares.size === 0 ? new Map([[none, nothing]]) : shares;
}

const nothing: Share = { tokens: null, costMicroUsd: null };

function addTo(shares: Map<string, Share>, key: string, { tokens, costMicroUsd }: Share): void {
  const before = shares.get(key) ?? nothing;
  shares.set(key, {
    tokens: sumIfAny(before.tokens, tokens),
    costMicroUsd: sumIfAny(before.costMicroUsd, costMicroUsd),
  });
}

/** What these sessions add up to in one grouping. */
export function totalsOf(rows: readonly SessionRow[], by: GroupBy): StatsGroup[] {
  if (by === "merge") return Totals.ofMerges(rows).stats();
  const totals = new Totals(by);
  for (const row of rows) totals.add(row, 1);
  return totals.stats();
}

/** The totals of some sessions in one grouping. */
export class Totals {
  readonly #by: GroupBy;
  readonly #groups = new Map<string, GroupTotals>();

  constructor(by: GroupBy) {
    this.#by = by;
  }

  /** By bead, as far as one of its runs has landed: what failed on the way there was done for it, too. */
  static ofMerges(rows: readonly SessionRow[]): Totals {
    const mergedBeads = new Set(rows.flatMap(({ merged, bead }) => (merged && bead !== null ? [bead] : [])));
    const totals = new Totals("merge");
    for (const row of rows) {
      const shares = new Map<string, Share>();
      for (const [bead, share] of sharesOf.merge(row)) addTo(shares, mergedBeads.has(bead) ? bead : notMerged, share);
      totals.#addShares(row, shares, 1);
    }
    return totals;
  }

  /** Counts a session in its groups, or takes it away again with `times` -1. */
  add(row: SessionRow, times: 1 | -1): void {
    this.#addShares(row, sharesOf[this.#by](row), times);
  }

  #addShares(row: SessionRow, shares: Map<string, Share>, times: 1 | -1): void {
    const part = partOf(row, times);
    for (const [key, { tokens, costMicroUsd }] of shares) {
      this.#add(key, {
        ...part,
        tokensUsed: times * clampCount(tokens ?? 0),
        withTokens: tokens === null ? 0 : times,
        costMicroUsd: times * clampCount(costMicroUsd ?? 0),
        withCost: costMicroUsd === null ? 0 : times,
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
