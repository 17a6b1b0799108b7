import { compareIds, type Entry, sameEntry } from "./entry.ts";
import type { ShardInfo } from "./manifest.ts";
import type { Span } from "./partition.ts";

/** What shards are cut from: single sessions, and stored shards that need not be read. */
export type Piece = Span & ({ entry: Entry } | { shard: ShardInfo });

export function pieceOfEntry(entry: Entry): Piece {
  return { first: entry.id, last: entry.id, count: 1, entry };
}

function pieceOfShard(shard: ShardInfo): Piece {
  return { first: shard.first, last: shard.last, count: shard.sessions + shard.unreadable, shard };
}

/**
 * The pieces once each session named in `updates` is as it says there (undefined: gone), in order, and the ids for which
 * that made a difference. A shard that stays as it is comes through as one piece.
 */
export function changePieces(
  shards: ShardInfo[],
  updates: Map<string, Entry | undefined>,
  open: (shard: ShardInfo) => Entry[],
): { pieces: Piece[]; changed: string[] } {
  const ids = [...updates.keys()].sort(compareIds);
  const pieces: Piece[] = [];
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
  entries: Entry[],
  ids: string[],
  wanted: Map<string, Entry | undefined>,
  changed: string[],
): Entry[] | undefined {
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
