/** Nobody misspells a longer word: comparing costs as much as both lengths multiplied. */
const longestWord = 64;

/** The known word that a misspelt one most likely meant; undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  let best: string | undefined;
  // At least one letter must stay: nothing is near a word of one letter.
  let bestDistance = Math.min(Math.max(2, Math.floor(word.length / 3)) + 1, word.length);
  for (const candidate of candidates) {
    // Letters that one has more have to be added, at least.
    if (Math.abs(word.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
