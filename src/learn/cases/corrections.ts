import type { Correction, Piece } from "../../contract/api/learn.ts";
import type { LeftOutReason } from "../../contract/learn-values.ts";
import { metadataAt } from "./metadata.ts";
import { noiseIn } from "./noise.ts";
import { failureText } from "./failure-text.ts";
import type { PlacedSession } from "./placed-session.ts";

const behaviourEntries = 6;
const entriesBefore = 4;
const expectedEntries = 8;
const entriesAfter = 3;

const agreement =
  /^(?:y|yes|yep|yeah|ok|okay|k|sure|thanks|thank you|thx|great|good|perfect|nice|cool|fine|lgtm|done|continue|go on|go ahead|proceed|please continue|carry on|looks good|sounds good|approved?|approve all|approve the rest|accept|all good|well done)(?:[\s.,!]+(?:thanks|thank you|continue|go on|go ahead|proceed|please|good|great))?[\s.!]*$/i;

/** Words by which people put someone right. */
const contradiction =
  /\b(?:no|nope|not|don't|don’t|dont|do not|doesn't|stop|wait|instead|wrong|incorrect|mistake|actually|revert|undo|roll back|never|rather|shouldn't|should not|should have|must not|you forgot|you missed|missing|why did you|still (?:fails|failing|broken|wrong|does|not)|broke|broken|unnecessary|too (?:much|many|long|complicated))\b/i;
const lookedAt = 400;

/** What a session of turns notes when a person takes a turn back, or branches from it: a command, and no words. */
const turnCommand = /^(?:undo|branch) \d\d[\w-]*$/;

/**
 * Why a user's words are no correction: `beginning` when no agent did anything yet. In the middle of a phase a user steps in to
 * put something right, unless they agree; a message that begins a phase may also be the next task, and has to say so.
 */
export function noCorrection(session: PlacedSession, at: number): LeftOutReason | "beginning" | undefined {
  const { entry, phase } = session.entries[at]!;
  if (entry.kind !== "user" || behaviourBefore(session, at).length === 0) return "beginning";
  if (agreement.test(entry.text.trim())) return "approval";
  if (session.frontmatter.kind === "turns" && turnCommand.test(entry.text)) return "new_task";
  if (entry.action !== undefined) return undefined;
  if (session.entries[at - 1]?.phase === phase && phase !== undefined) return undefined;
  if (contradiction.test(entry.text.slice(0, lookedAt)) || hasInterrupted(session, at)) return undefined;
  return "new_task";
}

function hasInterrupted(session: PlacedSession, at: number): boolean {
  const last = session.before(at, 1)[0];
  return last !== undefined && noiseIn(failureText(session.entries[last]!.entry)) === "interrupted";
}

/** What the agent did since the user spoke last. */
function behaviourBefore(session: PlacedSession, at: number): number[] {
  let from = at;
  while (from > 0 && !session.isOfUser(from - 1)) from--;
  return session.before(at, behaviourEntries, from);
}

export function correctionAt(session: PlacedSession, at: number): Correction {
  const behaviour = behaviourBefore(session, at);
  const before = session.before(behaviour[0] ?? at, entriesBefore);
  const next = nextWordsAfter(session, at);
  const followed = session.after(at + 1, expectedEntries, next);
  const { entry } = session.entries[at]!;
  const pieces = (places: number[]): Piece[] => places.map((place) => session.piece(place));
  const isCorrectedAgain = next < session.entries.length && noCorrection(session, next) === undefined;
  const hasAction = entry.kind === "user" && entry.action !== undefined;
  const isFollowed = hasAction || followed.length > 0;
  const open = isCorrectedAgain
    ? `the user put it right once more, on line ${session.lineOf(next)}`
    : isFollowed
      ? undefined
      : "nothing follows the user's words";
  const words = session.piece(at);
  const expected = open === undefined ? [...(hasAction ? [words] : []), ...pieces(followed)] : [];
  const lastShown = open === undefined ? (followed.at(-1) ?? at) : at;
  const shown = [...pieces(before), ...pieces(behaviour), words, ...expected];
  return {
    type: "correction",
    id: `${session.frontmatter.session_id}:${words.line}`,
    before: pieces(before),
    behaviour: pieces(behaviour),
    words,
    expected,
    omitted: open === undefined ? session.count(at + 1, next) - followed.length : 0,
    basis: open !== undefined ? null : hasAction ? "action" : "next_entries",
    ...(open !== undefined && { open }),
    after: pieces(session.after(lastShown + 1, entriesAfter)),
    metadata: metadataAt(session, at, shown),
  };
}

function nextWordsAfter(session: PlacedSession, at: number): number {
  let next = at + 1;
  while (next < session.entries.length && !session.isOfUser(next)) next++;
  return next;
}
