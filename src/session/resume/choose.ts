import { chooseDecisions } from "./decisions.ts";
import { sectionsOf, type Parts } from "./parts.ts";
import type { ContextPiece, Rank, Section } from "./piece.ts";
import { Selection } from "./selection.ts";

/** What gets room before ordinary work does, in this order. */
const firstRanks: Rank[] = ["open", "unfinished", "words", "about", "outcome"];

/** Of the room that decisions leave, what each of these ranks, and the outline, may take ahead of the window. */
const shareAhead = 0.1;

/** However little there is, so much of it: what the user said goes before tool calls. */
const leastAhead = 60;

/**
 * Fills `tokens` with what matters most to the agent that goes on: all decisions; a little of what must not be missed, however
 * old; then the window of recent phases; and what is left, once more for older things that must not be missed.
 */
export function choose(parts: Parts, tokens: number, sessionId: string, decisionsApart: boolean): Selection {
  const selection = new Selection(tokens, decisionsApart);
  const newestPieces = sectionsOf(parts)
    .flatMap((section) => section.pieces)
    .toReversed();
  const newestPhases = parts.phases.toReversed();
  chooseDecisions(selection, decisionsOf(parts).toReversed(), sessionId);
  takeAhead(selection, newestPieces, newestPhases, Math.max(leastAhead, Math.floor(selection.tokensLeft * shareAhead)));
  takeWindow(selection, newestPhases);
  takeAhead(selection, newestPieces, newestPhases, selection.tokensLeft);
  return selection;
}

/** The first ranks, then headings, so that a reader sees the course of the session; each within `tokensEach`. */
function takeAhead(
  selection: Selection,
  newestPieces: ContextPiece[],
  newestPhases: Section[],
  tokensEach: number,
): void {
  const spare = (): number => Math.max(0, selection.tokensLeft - tokensEach);
  for (const rank of firstRanks) {
    const spareOfRank = spare();
    for (const piece of newestPieces) if (piece.rank === rank) selection.take([piece], spareOfRank);
  }
  const spareOfOutline = spare();
  for (const phase of newestPhases) if (!selection.list(phase, spareOfOutline)) return;
}

/** Whole phases from the newest back; of the first that does not fit, its last entries. */
function takeWindow(selection: Selection, newestPhases: Section[]): void {
  for (const phase of newestPhases) {
    if (selection.take(phase.pieces) && selection.list(phase)) continue;
    for (const piece of phase.pieces.toReversed()) if (!selection.take([piece])) return;
    return;
  }
}

/** Whether all decisions fit into so many tokens as they were logged. */
export function fitsDecisions(parts: Parts, tokens: number): boolean {
  return new Selection(tokens).take(decisionsOf(parts));
}

function decisionsOf(parts: Parts): ContextPiece[] {
  return sectionsOf(parts)
    .flatMap((section) => section.pieces)
    .filter((piece) => piece.rank === "decision");
}

/** All of it, for a session that fits. */
export function chooseAll(parts: Parts): Selection {
  const selection = new Selection(Infinity);
  for (const section of sectionsOf(parts)) selection.take(section.pieces);
  for (const phase of parts.phases) selection.list(phase);
  return selection;
}
