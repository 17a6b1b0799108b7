import { scan, type BlockKind } from "./scan.ts";
import { addToList } from "../text/add-to-list.ts";

/** An entry as the write-ahead copy holds it: the very text that was appended to session.md. */
export interface LiveEntry {
  n: number;
  text: string;
  /** The entry's later text, when something was added to it where it stands. */
  amended?: string;
  /** Texts that it had between the first and the last, when it was changed more than once. */
  between?: string[];
}

/** What has to be done to a body so that nothing acknowledged is missing. */
export interface Reconciliation {
  /** Entries to append, in order. */
  missing: LiveEntry[];
  /** Where the last shared entry ends; what follows it in the body is a person's, or a torn write. */
  sharedEnd: number;
  /** Places that still show an entry's earlier text. */
  amendments: { start: number; end: number; text: string }[];
}

/** Kinds of blocks that a person writes and changes at will. */
const personalKinds = new Set<BlockKind>(["title", "summary", "prose"]);

/** The entries of a body that was there before the first one of the copy. What a person wrote between them is not among them. */
export function entriesIn(body: string): LiveEntry[] {
  const entries: LiveEntry[] = [];
  let from = 0;
  scan(body, 0, (kind, start, end) => {
    // The list heading belongs to the tool call that follows it.
    if (kind === "tools") return;
    if (!personalKinds.has(kind)) entries.push({ n: 0, text: body.slice(Math.min(from, start), end) });
    from = end;
  });
  return entries;
}

/**
 * Compares a body with the write-ahead copy. Entries missing after the last one that both share come back; entries
 * missing before it were deleted by a person and stay deleted. Where equal entries leave a choice, the choice is the
 * one that loses nothing. Pieces of the body are compared as `asCompared` gives them.
 */
export function reconcile(
  body: string,
  live: LiveEntry[],
  asCompared: (text: string) => string = (text) => text,
): Reconciliation {
  const pieces = live.flatMap((entry, index) => piecesOf(entry.text).map(({ key }) => ({ key, index })));
  const lastPieceOf = new Map(pieces.map(({ index }, at) => [index, at]));
  const places = new Map<string, number[]>();
  pieces.forEach(({ key }, at) => addToList(places, key, at));
  const earlierTexts = earlierTextsOf(live);

  let next = 0;
  let shared = -1;
  let sharedEnd = 0;
  const amend: Reconciliation["amendments"] = [];
  for (const { key: shown, start, end } of piecesOf(body)) {
    const key = asCompared(shown);
    const firstText = earlierTexts.get(key);
    const at = nextPlace(places.get(firstText ?? key), next);
    if (at === undefined) continue;
    const { index } = pieces[at]!;
    const lastText = live[index]!.amended;
    if (lastText !== undefined && lastText.trim() !== key) amend.push({ start, end, text: lastText.trimStart() });
    if (lastPieceOf.get(index) === at) {
      shared = index;
      sharedEnd = end;
    }
    next = at + 1;
  }
  return { missing: live.slice(shared + 1), sharedEnd, amendments: amend };
}

interface Piece {
  key: string;
  start: number;
  end: number;
}

/** The blocks of a text, without the list heading that comes and goes with its first tool call. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  scan(
    text,
    0,
    (kind, start, end) => {
      if (kind !== "tools") pieces.push({ key: text.slice(start, end).trimEnd(), start, end });
    },
    true,
  );
  return pieces;
}

/** From each later text of an entry to its first one. */
function earlierTextsOf(live: LiveEntry[]): Map<string, string> {
  const earlier = new Map<string, string>();
  for (const { text, amended, between = [] } of live) {
    if (amended === undefined) continue;
    for (const later of [...between, amended]) earlier.set(later.trim(), text.trim());
  }
  return earlier;
}

/** The first place at or after `from`; `places` ascend, and those passed are dropped for good. */
function nextPlace(places: number[] | undefined, from: number): number | undefined {
  if (!places) return undefined;
  while (places.length > 0 && places[0]! < from) places.shift();
  return places[0];
}
