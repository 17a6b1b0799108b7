import type { Piece, Puzzle } from "../../contract/api/learn.ts";
import type { LaterPasses } from "./later-passes.ts";
import { metadataAt } from "./metadata.ts";
import type { PlacedSession } from "./placed-session.ts";

const contextEntries = 6;
/** Of what was done between a failure and the run that passed, so many are kept: the last ones led there. */
const fixEntries = 10;
const entriesAfterWords = 4;

/** The entries of one failure: a failed call with the errors that were logged right behind it, or errors alone. */
export function failureFrom({ entries }: PlacedSession, at: number): number[] {
  const { entry } = entries[at]!;
  if (entry.kind !== "error" && !(entry.kind === "tool" && entry.failed)) return [];
  const failure = [at];
  for (let next = at + 1; next < entries.length; next++) {
    const { entry: other, phase } = entries[next]!;
    if (other.kind === "tokens") continue;
    if (entry.kind === "error" || other.kind !== "error" || phase !== entries[at]!.phase) break;
    failure.push(next);
  }
  return failure;
}

export function puzzleFrom(session: PlacedSession, failure: number[], passes: LaterPasses): Puzzle {
  const first = failure[0]!;
  const context = contextBefore(session, first);
  const shown = failure.map((at) => withoutResolution(session.failurePiece(at)));
  const { pieces, omitted, ...shows } = expectedAfter(session, failure, passes);
  const { session_id } = session.frontmatter;
  return {
    type: "puzzle",
    id: `${session_id}:${shown[0]!.line}`,
    context,
    failure: shown,
    expected: pieces,
    omitted,
    ...shows,
    metadata: metadataAt(session, first, [...context, ...shown, ...pieces], passes.of(first)),
  };
}

/** The last entries before it, with the user's last words where those stand further up. */
function contextBefore(session: PlacedSession, first: number): Piece[] {
  const near = session.before(first, contextEntries);
  if (near.some((at) => session.isOfUser(at))) return near.map((at) => session.piece(at));
  const words = lastWords(session, near[0] ?? first);
  return [...(words === undefined ? [] : [words]), ...near].map((at) => session.piece(at));
}

/** How far up the user's words are looked for. */
const farEntries = 200;

function lastWords(session: PlacedSession, before: number): number | undefined {
  for (let at = before - 1; at >= Math.max(0, before - farEntries); at--) if (session.isOfUser(at)) return at;
  return undefined;
}

type Expected = Pick<Puzzle, "basis" | "omitted" | "open"> & { pieces: Piece[] };

/** Only what the session itself shows: nothing is made up. */
function expectedAfter(session: PlacedSession, failure: number[], passes: LaterPasses): Expected {
  const last = failure.at(-1)!;
  const resolutions = failure.filter((at) => {
    const { entry } = session.entries[at]!;
    return entry.kind === "error" && entry.resolution !== undefined && entry.resolution !== "";
  });
  const pass = passes.of(failure[0]!);
  const pieces = (places: number[]): Piece[] => places.map((at) => session.piece(at));
  if (pass !== undefined) {
    const fix = session.before(pass, fixEntries, last + 1);
    const shown = pieces([...resolutions, ...fix, pass]);
    return { basis: "passing_run", pieces: shown, omitted: session.count(last + 1, pass) - fix.length };
  }
  if (resolutions.length > 0) return { basis: "resolution", pieces: pieces(resolutions), omitted: 0 };
  const words = nextWords(session, last);
  if (words !== undefined) {
    const next = session.after(words + 1, entriesAfterWords).filter((at) => !session.isOfUser(at));
    return { basis: "user_words", pieces: pieces([words, ...next]), omitted: 0 };
  }
  const open = "the session does not show what would have been right: nothing passed later, and nobody said it";
  return { basis: null, pieces: [], omitted: 0, open };
}

/** The user's next words, where the agent did no more than talk before them. */
function nextWords({ entries }: PlacedSession, after: number): number | undefined {
  for (let at = after + 1; at < entries.length; at++) {
    const { kind } = entries[at]!.entry;
    if (kind === "user") return at;
    if (kind !== "text" && kind !== "tokens" && kind !== "remark") return undefined;
  }
  return undefined;
}

/** How it was resolved is the answer, and no part of the question. */
function withoutResolution({ line, entry }: Piece): Piece {
  return entry.kind === "error" ? { line, entry: { kind: "error", text: entry.text } } : { line, entry };
}
