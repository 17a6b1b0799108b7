import type { Entry, Frontmatter, ToolEntry } from "../../contract/session.ts";
import type { CaseMetadata, Piece } from "../../contract/api/learn.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { PhaseItem } from "../../session/items.ts";
import { readItems } from "../../session/parse.ts";
import { isEditTool } from "../../engine/edit-tools.ts";
import { isShortened, withResults, type ResultsByCall } from "../../session/results.ts";
import { detached } from "../../text/detached.ts";
import { failureText } from "./failure-text.ts";
import { keptEntry, shortEntry } from "./short-entry.ts";

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

/** What becomes of entries as pieces of cases. */
interface PieceForms {
  /** What they go through, before they are cut. */
  redact?: (entry: Entry) => Redacted<Entry>;
  /** Whether they are kept when the session is no longer. */
  areKept?: boolean;
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
  readonly #forms: PieceForms;
  readonly #metadata = new Map<string, CaseMetadata>();
  readonly #phaseNumbers = new Map<PhaseItem, number>();
  #lineEnds: number[] | undefined;
  /** Those that were asked for. */
  readonly #pieces: Piece[] = [];
  readonly #failurePieces = new Map<number, Piece>();
  /** Whole outputs of failed calls, where session.md has their beginning. */
  readonly #outputs = new Map<number, string>();
  #nextCommits: Map<PhaseItem, string> | undefined;
  /** The places of entries that count, and for each entry how many of them stand before it. */
  #telling: { places: number[]; counts: Uint32Array } | undefined;
  /** Where each phase edits a file for the first time. */
  #firstEdits: Map<PhaseItem | undefined, number> | undefined;

  constructor({ text, bodyStart, frontmatter, path }: SessionText, forms: PieceForms = {}) {
    this.#forms = forms;
    // What is kept of a session names it, and must not keep its text.
    this.frontmatter = { ...frontmatter, session_id: detached(frontmatter.session_id) };
    this.path = path;
    this.#text = text;
    this.#bodyStart = bodyStart;
    let phase: PhaseItem | undefined;
    readItems(text.slice(bodyStart), 0, (item, start) => {
      if (item.kind === "phase") this.#phaseNumbers.set((phase = item), this.phases.push(item));
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

  /** Gives calls that failed their whole output, where session.md has only how it begins. `read` is asked when there are such calls. */
  addOutputs(read: () => ResultsByCall): void {
    const places: number[] = [];
    for (let at = 0; at < this.entries.length; at++) {
      const { entry } = this.entries[at]!;
      if (entry.kind === "tool" && entry.failed && isShortened(entry)) places.push(at);
    }
    if (places.length === 0) return;
    const calls = places.map((at) => this.entries[at]!.entry);
    for (const [index, call] of withResults(calls, read()).entries())
      if (call.kind === "tool" && call.result_full !== undefined) this.#outputs.set(places[index]!, call.result_full);
  }

  /** What a failure says of itself, as far as it is known. */
  failureText(at: number): string {
    return this.#outputs.get(at) ?? failureText(this.entries[at]!.entry);
  }

  /** The entry with its line, redacted, and then cut where it is long. */
  piece(at: number): Piece {
    return (this.#pieces[at] ??= this.#pieceOf(at, this.entries[at]!.entry));
  }

  /** The same with the whole output of a failed call. */
  failurePiece(at: number): Piece {
    const output = this.#outputs.get(at);
    const known = output === undefined ? this.piece(at) : this.#failurePieces.get(at);
    if (known) return known;
    const piece = this.#pieceOf(at, { ...(this.entries[at]!.entry as ToolEntry), result_full: output! });
    this.#failurePieces.set(at, piece);
    return piece;
  }

  #pieceOf(at: number, entry: Entry): Piece {
    const { redact, areKept } = this.#forms;
    const short = shortEntry(redact ? redact(entry) : entry);
    return { line: this.lineOf(at), entry: areKept ? keptEntry(short) : short };
  }

  /** The metadata with this key: cases that have the same share it. */
  shared(key: string, make: () => CaseMetadata): CaseMetadata {
    let metadata = this.#metadata.get(key);
    if (!metadata) this.#metadata.set(key, (metadata = make()));
    return metadata;
  }

  /** Which of the phases it is; -1 for what stands above the first one. */
  phaseNumber(phase: PhaseItem | undefined): number {
    return phase === undefined ? -1 : this.#phaseNumbers.get(phase)!;
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
    const { places, counts } = this.#tellingPlaces();
    return places.slice(Math.max(counts[from]!, counts[end]! - most), counts[end]);
  }

  /** Up to `most` such entries from `start` on, before `end`. */
  after(start: number, most: number, end = this.entries.length): number[] {
    const { places, counts } = this.#tellingPlaces();
    const first = counts[Math.min(start, this.entries.length)]!;
    return places.slice(first, Math.min(first + most, counts[end]!));
  }

  /** The next commit that a phase behind this entry's begins with, or as which the session was merged, other than its own. */
  commitAfter(at: number): string | undefined {
    this.#nextCommits ??= nextCommits(this.phases, this.frontmatter.merged);
    const { phase } = this.entries[at]!;
    return phase && this.#nextCommits.get(phase);
  }

  /** How many such entries stand from `start` on, before `end`. */
  count(start: number, end: number): number {
    const { counts } = this.#tellingPlaces();
    return Math.max(0, counts[end]! - counts[Math.min(start, this.entries.length)]!);
  }

  /** Whether a call of the same phase, before this entry, edits a file. */
  hasEditBefore(at: number): boolean {
    if (!this.#firstEdits) {
      this.#firstEdits = new Map();
      for (const [place, { entry, phase }] of this.entries.entries())
        if (entry.kind === "tool" && isEditTool(entry.name) && !this.#firstEdits.has(phase))
          this.#firstEdits.set(phase, place);
    }
    return (this.#firstEdits.get(this.entries[at]!.phase) ?? at) < at;
  }

  #tellingPlaces(): { places: number[]; counts: Uint32Array } {
    if (this.#telling) return this.#telling;
    const places: number[] = [];
    const counts = new Uint32Array(this.entries.length + 1);
    for (let at = 0; at < this.entries.length; at++) {
      if (this.#tells(at)) places.push(at);
      counts[at + 1] = places.length;
    }
    return (this.#telling = { places, counts });
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
