import { compareIds, type IndexEntry, sameEntry } from "./entry.ts";
import type { ShardInfo } from "./manifest.ts";
import type { IdSpan } from "./partition.ts";

/** What shards are cut from: single sessions, and stored shards that need not be read. */
export type ShardPiece = IdSpan & ({ entry: IndexEntry } | { shard: ShardInfo });

export function pieceOfEntry(entry: IndexEntry): ShardPiece {
  return { first: entry.id, last: entry.id, count: 1, entry };
}

function pieceOfShard(shard: ShardInfo): ShardPiece {
  return { first: shard.first, last: shard.last, count: shard.sessions + shard.unreadable, shard };
}

/**
 * The pieces once each session named in `updates` is as it says there (undefined: gone), in order, and the ids for which
 * that made a difference. A shard that stays as it is comes through as one piece.
 */
export function changePieces(
  shards: ShardInfo[],
  updates: Map<string, IndexEntry | undefined>,
  open: (shard: ShardInfo) => IndexEntry[],
): { pieces: ShardPiece[]; changed: string[] } {
  const ids = [...updates.keys()].sort(compareIds);
  const pieces: ShardPiece[] = [];
  const changed: string[] = [];
  let next = 0;
  const takeWhile = (inRange: (id: string) => boolean): string[] => {
    const from = next;
    while (next < ids.length && inRange(ids[next] as string)) next += 1;
    return ids.slice(from, next);
  };
  const change = (idsInRange: string[], shard?: ShardInfo): void => {
    const before = shard && idsInRange.length > 0 ? open(shard) : [];
    const after = changeEntries(before, idsInRange, updates, changed);
    if (after) for (const entry of after) pieces.push(pieceOfEntry(entry));
    else if (shard) pieces.push(pieceOfShard(shard));
  };
  for (const shard of shards) {
    const above = takeWhile((id) => id < shard.first);
    change(above);
    const within = takeWhile((id) => id <= shard.last);
    change(within, shard);
  }
  change(ids.slice(next));
  return { pieces, changed };
}

/** The entries with those of `ids` as wanted, in order; undefined when they are so already. Adds to `changed`. */
function changeEntries(
  entries: IndexEntry[],
  ids: string[],
  wanted: Map<string, IndexEntry | undefined>,
  changed: string[],
): IndexEntry[] | undefined {
  if (ids.length === 0) return undefined;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const differing = ids.filter((id) => {
    const [before, after] = [byId.get(id), wanted.get(id)];
    if (before && after && sameEntry(before, after)) return false;
    if (!after) return byId.delete(id);
    byId.set(id, after);
    return true;
  });
  if (differing.length === 0) return undefined;
  for (const id of differing) changed.push(id);
  return [...byId.values()].sort((a, b) => compareIds(a.id, b.id));
}
