import type { ContextPiece } from "./piece.ts";
import type { Selection } from "./selection.ts";
import { estimateTokens, shorten } from "./tokens.ts";

/** What a shortened decision shows of itself at the very least, marker included: about a line. */
const minTokens = 25;

/**
 * Puts every decision of a session into its resume context; none is ever left out. Tries in this order:
 * 1. All decisions as they were logged.
 * 2. The longer ones cut to one length, each with a pointer to its full text. At least half of the room stays free for the
 *    phases, unless the decisions cannot be that short.
 * 3. The same without pointers, because the context has one pointer in any case. Each keeps `minTokens` tokens at least, so
 *    that the context may then be larger than its budget.
 */
export function chooseDecisions(selection: Selection, newestFirst: ContextPiece[], sessionId: string): void {
  if (selection.take(newestFirst)) return;
  const pointer = ({ section }: ContextPiece): string => `… (${section.id}; clew session show ${sessionId})\n`;
  const pointerTokens = newestFirst.reduce((most, piece) => Math.max(most, estimateTokens(pointer(piece))), 0);
  const room = selection.tokensLeft;
  const costs = newestFirst.map(({ tokens }) => tokens);
  const needed = costs.reduce((sum, cost) => sum + Math.min(cost, minTokens + pointerTokens), 0);

  const hasPointers = needed <= room;
  const limit = hasPointers
    ? evenLimit(costs, Math.max(needed, room - Math.floor(selection.tokensLeft / 2)))
    : Math.max(minTokens, evenLimit(costs, room));
  for (const piece of newestFirst) {
    // One token less, for the empty line before it.
    const text = shorten(piece.text, limit - 1, hasPointers ? pointer(piece) : "…\n");
    selection.takeAs(piece, piece.tokens <= limit ? piece.text : text);
  }
}

/** The largest limit for which the costs fit into the room when every higher one is lowered to it. */
function evenLimit(costs: number[], room: number): number {
  let remaining = room;
  const ascending = costs.toSorted((a, b) => a - b);
  for (const [index, cost] of ascending.entries()) {
    const fairShare = Math.floor(remaining / (ascending.length - index));
    if (cost > fairShare) return fairShare;
    remaining -= cost;
  }
  return Infinity;
}
