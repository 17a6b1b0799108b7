import type { Piece, Section } from "./piece.ts";
import type { Selection } from "./selection.ts";
import { estimateTokens, shorten } from "./tokens.ts";

/** What a shortened decision shows of itself at the very least, marker included: about a line. */
const shortestTokens = 25;

/**
 * Takes every decision as it was logged. Only when they do not fit are the longer ones shortened, all to the same
 * length, each with a pointer to the whole; half of the room then stays free for the phases. Only when even the
 * shortest form does not fit are the oldest left out. `newestFirst` are the session's decisions.
 */
export function chooseDecisions(selection: Selection, newestFirst: Piece[], sessionId: string): void {
  if (selection.take(newestFirst)) return;
  const pointer = ({ section }: Piece): string => `… (${section.id}; clew session show ${sessionId})\n`;
  const pointerTokens = newestFirst.reduce((most, piece) => Math.max(most, estimateTokens(pointer(piece))), 0);
  const shortest = shortestTokens + pointerTokens;

  const kept: Piece[] = [];
  const headings = new Set<Section>();
  let needed = 0;
  let headingTokens = 0;
  for (const piece of newestFirst) {
    const heading = headings.has(piece.section) ? 0 : piece.section.tokens;
    const cost = heading + Math.min(piece.tokens, shortest);
    if (needed + cost > selection.left) break;
    kept.push(piece);
    headings.add(piece.section);
    headingTokens += heading;
    needed += cost;
  }

  const room = Math.max(needed, Math.floor(selection.left / 2)) - headingTokens;
  const limit = evenLimit(
    kept.map((piece) => piece.tokens),
    room,
  );
  for (const piece of kept) {
    if (piece.tokens <= limit) selection.take([piece]);
    // One token less, for the empty line before it.
    else selection.takeAs(piece, shorten(piece.text, limit - 1, pointer(piece)));
  }
}

/** The largest limit for which the costs fit into the room when every higher one is lowered to it. */
function evenLimit(costs: number[], room: number): number {
  let left = room;
  const ascending = costs.toSorted((a, b) => a - b);
  for (const [index, cost] of ascending.entries()) {
    const fairShare = Math.floor(left / (ascending.length - index));
    if (cost > fairShare) return fairShare;
    left -= cost;
  }
  return Infinity;
}
