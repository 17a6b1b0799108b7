import type { Entry, Frontmatter } from "../../contract/session.ts";
import type { Piece } from "../../contract/api/learn.ts";
import type { PhaseItem } from "../../session/items.ts";
import { readItems } from "../../session/parse.ts";
import { withResults, type ResultsByCall } from "../../session/results.ts";
import { detached } from "../../text/detached.ts";
import { shortEntry } from "./short-entry.ts";

/** A session's text, as it is read from its files. */
export interface SessionText {
  text: string;
  bodyStart: number;
  frontmatter: Frontmatter;
  /** Where it stands, below the repository's root. */
  path: string;
}

export interface PlacedEntry {
  entry: Entry;
  /** Where it begins in the body, in characters. */
  start: number;
  /** The phase that it stands in; undefined above the first one. */
  phase: PhaseItem | undefined;
}

/** Who says or does something in an entry. */
const agentKinds = new Set<Entry["kind"]>(["tool", "text", "decision", "task_complete", "subagent", "error"]);

/** A session as a list of entries that know where they stand. */
export class PlacedSession {
  readonly frontmatter: Frontmatter;
  readonly path: string;
  readonly entries: PlacedEntry[] = [];
  readonly phases: PhaseItem[] = [];
  readonly #text: string;
  readonly #bodyStart: number;
  #lineEnds: number[] | undefined;
  /** Those that were asked for. */
  readonly #pieces: Piece[] = [];
  #nextCommits: Map<PhaseItem, string> | undefined;
  /** For each entry, how many that count stand before it. */
  #counts: Uint32Array | undefined;

  constructor({ text, bodyStart, frontmatter, path }: SessionText) {
    // What is kept of a session names it, and must not keep its text.
    this.frontmatter = { ...frontmatter, session_id: detached(frontmatter.session_id) };
    this.path = path;
    this.#text = text;
    this.#bodyStart = bodyStart;
    let phase: PhaseItem | undefined;
    readItems(text.slice(bodyStart), 0, (item, start) => {
      if (item.kind === "phase") this.phases.push((phase = item));
      else if (item.kind !== "tasks" && item.kind !== "title" && item.kind !== "summary")
        this.entries.push({ entry: item, start, phase });
    });
  }

  /** Gives calls their whole results. */
  addResults(results: ResultsByCall): void {
    if (results.size === 0) return;
    const whole = withResults(
      this.entries.map(({ entry }) => entry),
      results,
    );
    this.entries.forEach((placed, at) => (placed.entry = whole[at] as Entry));
  }

  /** The entry with its line, cut where it is long. */
  piece(at: number): Piece {
    return (this.#pieces[at] ??= { line: this.lineOf(at), entry: shortEntry(this.entries[at]!.entry) });
  }

  /** The line of session.md at which the entry begins, from 1. */
  lineOf(at: number): number {
    this.#lineEnds ??= lineEndsIn(this.#text);
    const place = this.#bodyStart + this.entries[at]!.start;
    let [low, high] = [0, this.#lineEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#lineEnds[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  isOfAgent(at: number): boolean {
    return agentKinds.has(this.entries[at]!.entry.kind);
  }

  isOfUser(at: number): boolean {
    return this.entries[at]?.entry.kind === "user";
  }

  /** Up to `most` entries of agents and users before `end`, the last ones, in their order. */
  before(end: number, most: number, from = 0): number[] {
    const found: number[] = [];
    for (let at = end - 1; at >= from && found.length < most; at--) if (this.#tells(at)) found.push(at);
    return found.toReversed();
  }

  /** Up to `most` such entries from `start` on, before `end`. */
  after(start: number, most: number, end = this.entries.length): number[] {
    const found: number[] = [];
    for (let at = start; at < end && found.length < most; at++) if (this.#tells(at)) found.push(at);
    return found;
  }

  /** The next commit that a phase behind this entry's begins with, or as which the session was merged, other than its own. */
  commitAfter(at: number): string | undefined {
    this.#nextCommits ??= nextCommits(this.phases, this.frontmatter.merged);
    const { phase } = this.entries[at]!;
    return phase && this.#nextCommits.get(phase);
  }

  /** How many such entries stand from `start` on, before `end`. */
  count(start: number, end: number): number {
    this.#counts ??= this.#countAll();
    return Math.max(0, this.#counts[end]! - this.#counts[start]!);
  }

  #countAll(): Uint32Array {
    const counts = new Uint32Array(this.entries.length + 1);
    for (let at = 0; at < this.entries.length; at++) counts[at + 1] = counts[at]! + (this.#tells(at) ? 1 : 0);
    return counts;
  }

  #tells(at: number): boolean {
    return this.isOfAgent(at) || this.isOfUser(at);
  }
}

function lineEndsIn(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}

function nextCommits(phases: readonly PhaseItem[], merged: unknown): Map<PhaseItem, string> {
  const next = new Map<PhaseItem, string>();
  let later = typeof merged === "string" ? merged : undefined;
  let other: string | undefined;
  for (const phase of phases.toReversed()) {
    const commit = phase.mark?.commit;
    const found = later === commit ? other : later;
    if (found !== undefined) next.set(phase, found);
    if (commit === undefined || commit === later) continue;
    [other, later] = [later, commit];
  }
  return next;
}
