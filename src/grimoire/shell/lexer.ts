import type { EnclosingDocument, HolePlace } from "./piece.ts";
import { Pipelines } from "./pipelines.ts";
import {
  isEmpty,
  type Assignment,
  type HereDocument,
  type HoleRange,
  type StdinUse,
  type ScriptReading,
} from "./reading.ts";
import type { HoleRefusal } from "./refusal.ts";
import { HOLE, type ScriptSource, type SourceHole } from "./source.ts";
import { UnclearScriptError } from "./unclear.ts";

/** A change of the script's own text: `[start, end)` gives way to `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** What closes a list of commands: the end of the script, a parenthesis, or the end of a branch of `case`. */
export type Closer = "end" | ")" | "branch";

const MAX_DEPTH = 100;

/** The position in the script, and what was found so far. Reads strictly from left to right, each hole once. */
export class Lexer implements ScriptReading {
  readonly text: string;
  at = 0;
  /** The text ends here: its length, or the end of the here-document that is being read. */
  limit: number;
  nextHole = 0;
  /** Why every hole is refused here; undefined where holes may stand. */
  holeRefusal: HoleRefusal | undefined;
  pending: HereDocument[] = [];
  readonly edits: Edit[] = [];
  /** The here-documents whose text is being read. */
  openDocuments: readonly EnclosingDocument[] = [];
  readonly places: { place: HolePlace; within: readonly EnclosingDocument[] }[];
  /** By index of the hole; the first reason counts. */
  readonly refusedHoles = new Map<number, HoleRefusal>();
  /** Names that bash evaluates on assignment, as far as the script declares them. */
  readonly evaluatedNames = new Map<string, "number" | "array">();
  /** Assignments of holes, checked at the end because a declaration may come later in the text. */
  readonly assignments: Assignment[] = [];
  readonly pipelines = new Pipelines(this);
  readonly #holes: SourceHole[];
  /** By the index of a first hole, the end of the range that is refused already: keeps long pipelines cheap. */
  readonly #refusedUpTo = new Map<number, number>();
  readonly #readCommands: (lexer: Lexer, closer: Closer) => "closed" | "esac";
  #depth = 0;

  constructor(source: ScriptSource, readCommands: (lexer: Lexer, closer: Closer) => "closed" | "esac") {
    this.text = source.text;
    this.limit = source.text.length;
    this.places = source.holes.map(() => ({ place: "bare", within: [] }));
    this.#holes = source.holes;
    this.#readCommands = readCommands;
  }

  /** The character `ahead` of the next one; empty at the end. */
  peek(ahead = 0): string {
    return this.at + ahead < this.limit ? this.text[this.at + ahead]! : "";
  }

  startsWith(text: string): boolean {
    return this.at + text.length <= this.limit && this.text.startsWith(text, this.at);
  }

  /** Goes past what the sticky pattern matches here: text in which nothing can be special. */
  skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    if (pattern.test(this.text)) this.at = Math.min(pattern.lastIndex, this.limit);
  }

  /** Whether a hole is next. */
  get atHole(): boolean {
    return this.peek() === HOLE;
  }

  takeHole(place: HolePlace, refusal?: HoleRefusal): void {
    const index = this.nextHole;
    if (this.#holes[index]?.offset !== this.at) {
      throw this.unclear("the script contains a NUL", "Remove it: no shell can read it.");
    }
    this.places[index] = { place, within: this.openDocuments };
    const reason = this.holeRefusal ?? refusal;
    if (reason !== undefined) this.refuse({ first: index, end: index + 1 }, reason);
    this.nextHole++;
    this.at++;
  }

  refuse(holes: HoleRange, refusal: HoleRefusal): void {
    const from = this.#refusedUpTo.get(holes.first) ?? holes.first;
    for (let index = from; index < holes.end; index++) {
      if (!this.refusedHoles.has(index)) this.refusedHoles.set(index, refusal);
    }
    if (from < holes.end) this.#refusedUpTo.set(holes.first, holes.end);
  }

  /** Checks holes that reach a command through its standard input. */
  checkStdin(use: StdinUse, holes: HoleRange): void {
    if (isEmpty(holes)) return;
    if ("where" in use) this.refuse(holes, use);
    else for (const name of use.names) this.assignments.push({ name, isDeclaration: false, holes });
  }

  unclear(what: string, hint: string, offset = this.at): UnclearScriptError {
    return new UnclearScriptError(offset, what, hint);
  }

  unclosed(what: string, openOffset: number, hint = "Close it."): UnclearScriptError {
    return new UnclearScriptError(openOffset, `${what} is never closed`, hint, "everywhere");
  }

  /** Refuses every hole that `read` reads. */
  refuseHoles(refusal: HoleRefusal, read: () => void): void {
    const outer = this.holeRefusal;
    this.holeRefusal ??= refusal;
    read();
    this.holeRefusal = outer;
  }

  nest<T>(read: () => T): T {
    if (this.#depth === MAX_DEPTH) {
      throw this.unclear(`the script nests deeper than ${MAX_DEPTH} levels here`, "Split it into functions or steps.");
    }
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  readCommands(closer: Closer): "closed" | "esac" {
    return this.nest(() => this.#readCommands(this, closer));
  }
}
