/** A stretch of the ordered ids: one session, or a stored shard whose sessions need not be read. */
export interface IdSpan {
  first: string;
  last: string;
  count: number;
}

/**
 * A save writes a shard and the manifest; at 100,000 sessions both together are smallest with this limit. Another one
 * is another format.
 */
export const maxPerShard = 512;

/**
 * Cuts the ids into shards. Where it cuts depends on the set of ids alone: a stretch that holds too many is halved at
 * the highest bit in which its first and last id differ, as in a binary trie. So a new session changes one shard or
 * splits it, no shard is ever larger than the limit whatever the ids are, and ids that start with a date keep
 * neighbours in time together. `open` gives the sessions of a stored shard, needed only when a cut goes through it.
 */
export function partition<S extends IdSpan>(spans: S[], open: (shard: S) => S[], limit: number): S[][] {
  const count = spans.reduce((sum, span) => sum + span.count, 0);
  return count === 0 ? [] : cut(spans, count, open, limit);
}

function cut<S extends IdSpan>(spans: S[], count: number, open: (shard: S) => S[], limit: number): S[][] {
  if (count <= limit) return [spans];
  const isUpper = halves((spans[0] as S).first, (spans.at(-1) as S).last);
  let at = 0;
  let lower = 0;
  for (let span = spans[0] as S; !isUpper(span.last); span = spans[at] as S) {
    lower += span.count;
    at += 1;
  }
  const middle = spans[at] as S;
  if (!isUpper(middle.first)) return cut(spans.toSpliced(at, 1, ...open(middle)), count, open, limit);
  return [...cut(spans.slice(0, at), lower, open, limit), ...cut(spans.slice(at), count - lower, open, limit)];
}

/** Tells whether an id between `first` and `last` lies in the upper half of that stretch. */
function halves(first: string, last: string): (id: string) => boolean {
  let unit = 0;
  while (unitOf(first, unit) === unitOf(last, unit)) unit += 1;
  const highestBit = 31 - Math.clz32(unitOf(first, unit) ^ unitOf(last, unit));
  return (id) => ((unitOf(id, unit) >> highestBit) & 1) === 1;
}

/** Code units, moved up by one so that the end of a text sorts before every character. */
function unitOf(text: string, unit: number): number {
  return unit < text.length ? text.charCodeAt(unit) + 1 : 0;
}
