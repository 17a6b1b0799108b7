import type { Correction, Piece } from "../../contract/api/learn.ts";
import type { ExclusionReason } from "../../contract/learn-values.ts";
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
 * Why a user's words are no correction: `beginning` when no agent did anything yet, `goes_on` when they belong to the
 * correction right before them. In the middle of a phase a user steps in to
 * put something right, unless they agree; a message that begins a phase may also be the next task, and has to say so.
 */
export function noCorrection(session: PlacedSession, at: number): Refusal | undefined {
  for (let earlier = firstOfMessages(session, at); earlier < at; earlier++)
    if (session.isOfUser(earlier) && ownRefusal(session, earlier) === undefined) return "goes_on";
  return ownRefusal(session, at);
}

type Refusal = ExclusionReason | "beginning" | "goes_on";

function ownRefusal(session: PlacedSession, at: number): Refusal | undefined {
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

/** A user may send several messages before an agent does anything: where they begin. */
function firstOfMessages(session: PlacedSession, at: number): number {
  let first = at;
  for (let earlier = at - 1; earlier >= 0 && !session.isOfAgent(earlier); earlier--)
    if (session.isOfUser(earlier)) first = earlier;
  return first;
}

/** The user's messages from `at` on, until an agent does something. */
function messagesFrom(session: PlacedSession, at: number): number[] {
  const messages: number[] = [];
  for (let next = at; next < session.entries.length && !session.isOfAgent(next); next++)
    if (session.isOfUser(next)) messages.push(next);
  return messages;
}

/** What the agent did between the user's messages and those before. */
function behaviourBefore(session: PlacedSession, at: number): number[] {
  const end = firstOfMessages(session, at);
  let from = end;
  while (from > 0 && !session.isOfUser(from - 1)) from--;
  return session.before(end, behaviourEntries, from);
}

export function correctionAt(session: PlacedSession, at: number): Correction {
  const behaviour = behaviourBefore(session, at);
  const before = session.before(behaviour[0] ?? at, entriesBefore);
  const [, ...added] = messagesFrom(session, at);
  const lastMessage = added.at(-1) ?? at;
  const next = nextWordsAfter(session, lastMessage);
  const followed = session.after(lastMessage + 1, expectedEntries, next);
  const pieces = (places: number[]): Piece[] => places.map((place) => session.piece(place));
  const isCorrectedAgain = next < session.entries.length && noCorrection(session, next) === undefined;
  const hasAction = [at, ...added].some((place) => actionAt(session, place) !== undefined);
  const isFollowed = hasAction || followed.length > 0;
  const open = isCorrectedAgain
    ? `the user put it right once more, on line ${session.lineOf(next)}`
    : isFollowed
      ? undefined
      : "nothing follows the user's words";
  const words = session.piece(at);
  const expected =
    open === undefined
      ? [...(actionAt(session, at) === undefined ? [] : [words]), ...pieces([...added, ...followed])]
      : [];
  const lastShown = open === undefined ? (followed.at(-1) ?? lastMessage) : at;
  const shown = [...pieces(before), ...pieces(behaviour), words, ...expected];
  return {
    type: "correction",
    id: `${session.frontmatter.session_id}:${words.line}`,
    before: pieces(before),
    behaviour: pieces(behaviour),
    words,
    expected,
    omitted: open === undefined ? session.count(lastMessage + 1, next) - followed.length : 0,
    basis: open !== undefined ? null : hasAction ? "action" : "next_entries",
    ...(open !== undefined && { open }),
    after: pieces(session.after(lastShown + 1, entriesAfter)),
    metadata: metadataAt(session, at, shown),
  };
}

function actionAt(session: PlacedSession, at: number): string | undefined {
  const { entry } = session.entries[at]!;
  return entry.kind === "user" ? entry.action : undefined;
}

function nextWordsAfter(session: PlacedSession, at: number): number {
  let next = at + 1;
  while (next < session.entries.length && !session.isOfUser(next)) next++;
  return next;
}
