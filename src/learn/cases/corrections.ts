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

type Refusal = ExclusionReason | "beginning" | "goes_on";

/** Several messages of a user, with nothing that an agent did in between. */
interface Messages {
  /** Where they stand. */
  places: number[];
  /** What the agent did between them and those before. */
  behaviour: number[];
  /** Which of them puts the agent right: the first of those that do. */
  correcting: number | undefined;
}

/** A session's user, message by message. Looks at each entry once. */
export class Corrections {
  readonly #session: PlacedSession;
  readonly #groups = new Map<number, Messages>();
  readonly #refusals = new Map<number, Refusal | undefined>();
  /** The places of all messages. */
  readonly #places: number[] = [];

  constructor(session: PlacedSession) {
    this.#session = session;
    let group: number[] = [];
    let behaviourFrom = 0;
    for (let at = 0; at <= session.entries.length; at++) {
      const isOfAgent = at === session.entries.length || session.isOfAgent(at);
      if (isOfAgent && group.length > 0) {
        this.#addGroup(group, behaviourFrom);
        behaviourFrom = group.at(-1)! + 1;
        group = [];
      }
      if (at < session.entries.length && session.isOfUser(at)) group.push(at);
    }
  }

  #addGroup(places: number[], behaviourFrom: number): void {
    const behaviour = this.#session.before(places[0]!, behaviourEntries, behaviourFrom);
    const group: Messages = { places, behaviour, correcting: undefined };
    for (const at of places) {
      this.#groups.set(at, group);
      this.#places.push(at);
      const own = behaviour.length === 0 ? "beginning" : ownRefusal(this.#session, at);
      this.#refusals.set(at, group.correcting === undefined ? own : "goes_on");
      if (own === undefined) group.correcting ??= at;
    }
  }

  /**
   * Why a user's words are no correction: `beginning` when no agent did anything yet, `goes_on` when they belong to the
   * correction right before them. In the middle of a phase a user steps in to
   * put something right, unless they agree; a message that begins a phase may also be the next task, and has to say so.
   */
  refusal(at: number): Refusal | undefined {
    return this.#refusals.get(at);
  }

  /** The correction that a message begins. */
  caseAt(at: number): Correction {
    const session = this.#session;
    const { places, behaviour } = this.#groups.get(at)!;
    const before = session.before(behaviour[0] ?? at, entriesBefore);
    const added = places.slice(places.indexOf(at) + 1);
    const lastMessage = added.at(-1) ?? at;
    const next = this.#messageAfter(lastMessage);
    const followed = session.after(lastMessage + 1, expectedEntries, next);
    const pieces = (all: number[]): Piece[] => all.map((place) => session.piece(place));
    // What was done at the first message's words can be put right without a word of the agent.
    const again =
      actionAt(session, at) === undefined
        ? undefined
        : added.find((place) => contradiction.test(textAt(session, place).slice(0, lookedAt)));
    const isCorrectedAgain = again !== undefined || (next < session.entries.length && this.refusal(next) === undefined);
    const hasAction = [at, ...added].some((place) => actionAt(session, place) !== undefined);
    const isFollowed = hasAction || followed.length > 0;
    const open = isCorrectedAgain
      ? `the user put it right once more, on line ${session.lineOf(again ?? next)}`
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

  /** Where the user speaks next; the end when there is no more. */
  #messageAfter(at: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#places[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return this.#places[low] ?? this.#session.entries.length;
  }
}

function ownRefusal(session: PlacedSession, at: number): Refusal | undefined {
  const { entry, phase } = session.entries[at]!;
  if (entry.kind !== "user") return "beginning";
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

function textAt(session: PlacedSession, at: number): string {
  const { entry } = session.entries[at]!;
  return "text" in entry ? entry.text : "";
}

function actionAt(session: PlacedSession, at: number): string | undefined {
  const { entry } = session.entries[at]!;
  return entry.kind === "user" ? entry.action : undefined;
}
