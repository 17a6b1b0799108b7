/** The same line of a text that is looked for counts at so many of its places. */
const maxPlaces = 20;
/** In characters: what is compared of a line. */
const maxCompared = 200;

/** Where most lines of a text stand in place: its first line (from 0), and how many are the same but for blanks. */
export interface BestLines {
  start: number;
  same: number;
}

/**
 * The lines that are most like those that are wanted: where most of them stand in their order, else the single line that is most like the longest one.
 * Undefined when nothing is. One pass over the lines, and one over their characters.
 */
export function bestLines(lines: readonly string[], wanted: readonly string[]): BestLines | undefined {
  return mostInPlace(lines, wanted) ?? mostAlike(lines, wanted);
}

/** Each line that is wanted votes for where the text would begin. */
function mostInPlace(lines: readonly string[], wanted: readonly string[]): BestLines | undefined {
  const places = new Map<string, number[]>();
  wanted.forEach((line, index) => {
    const key = line.trim();
    const at = places.get(key) ?? [];
    if (key.length > 2 && at.length < maxPlaces) places.set(key, [...at, index]);
  });
  const votes = new Map<number, number>();
  lines.forEach((line, index) => {
    for (const at of places.get(line.trim()) ?? []) {
      const start = index - at;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  });
  let best: BestLines | undefined;
  for (const [start, same] of votes) if (same > (best?.same ?? 0)) best = { start, same };
  return best;
}

function mostAlike(lines: readonly string[], wanted: readonly string[]): BestLines | undefined {
  const longest = wanted.reduce(
    (best, line, index) => (line.trim().length > wanted[best]!.trim().length ? index : best),
    0,
  );
  const pairs = pairsOf(wanted[longest]!);
  if (pairs.size === 0) return undefined;
  let best: BestLines | undefined;
  // Less than half alike is nothing alike.
  let bestScore = 0.5;
  lines.forEach((line, index) => {
    const start = index - longest;
    if (start < 0 || line.length < pairs.size / 3) return;
    const other = pairsOf(line);
    let shared = 0;
    for (const pair of other) if (pairs.has(pair)) shared++;
    const score = (2 * shared) / (pairs.size + other.size);
    if (score > bestScore) [best, bestScore] = [{ start, same: 0 }, score];
  });
  return best;
}

/** All pairs of neighbouring characters. */
function pairsOf(line: string): Set<number> {
  const text = line.trim().slice(0, maxCompared);
  const pairs = new Set<number>();
  for (let at = 1; at < text.length; at++) pairs.add(text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at));
  return pairs;
}
