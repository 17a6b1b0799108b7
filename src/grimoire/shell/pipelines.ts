import type { HereDocument, StdinUse, ScriptReading } from "./reading.ts";

/** A list of commands: the whole script, or what stands in parentheses, between `{` and `}`, `if` and `fi`. */
interface Level {
  /** Where the pipeline that is being read begins. */
  start: { hole: number; offset: number };
  /** Its last `|`: what stands before goes into what stands behind. */
  pipe: number | undefined;
  /** The here-documents before that; their texts may come later, even in the middle of what reads them. */
  documents: HereDocument[];
  /** What the commands of this list do with the standard input that they share. */
  stdinUses: StdinUse[];
}

const MAX_LEVELS = 300;

/** Tracks what writes into the standard input of the command that is being read, through groups of commands too. */
export class Pipelines {
  readonly #reading: ScriptReading;
  readonly #levels: Level[] = [];

  constructor(reading: ScriptReading) {
    this.#reading = reading;
  }

  get depth(): number {
    return this.#levels.length;
  }

  open(): void {
    if (this.#levels.length === MAX_LEVELS) {
      throw this.#reading.unclear("the script nests too deep here", "Split it into functions or steps.");
    }
    this.#levels.push({ start: this.#position(), pipe: undefined, documents: [], stdinUses: [] });
  }

  /** Leaves levels until `depth` remain. Returns what the outermost of those it left does with its input. */
  close(depth: number): StdinUse[] {
    return this.#levels.splice(depth)[0]?.stdinUses ?? [];
  }

  /** A pipeline has ended; the next begins here. */
  begin(): void {
    const level = this.#levels.at(-1)!;
    level.start = this.#position();
    level.pipe = undefined;
    level.documents = [];
  }

  pipe(): void {
    const level = this.#levels.at(-1)!;
    const lastOffset = level.documents.at(-1)?.end ?? level.start.offset;
    level.documents.push(...this.#reading.pending.filter((document) => document.start >= lastOffset));
    level.pipe = this.#reading.nextHole;
  }

  /** Reads what the command so far writes into: `>(…)`. */
  pipeInto(read: () => void): void {
    const level = this.#levels.at(-1)!;
    const outer = level.pipe;
    level.pipe = this.#reading.nextHole;
    read();
    level.pipe = outer;
  }

  /** Records what a command does with its standard input, and checks all that reaches it through pipes. */
  feed(use: StdinUse): void {
    for (const { start, pipe, documents, stdinUses } of this.#levels) {
      stdinUses.push(use);
      if (pipe === undefined) continue;
      this.#reading.checkStdin(use, { first: start.hole, end: pipe });
      for (const document of documents) {
        if (document.holes === undefined) document.stdinUses.push(use);
        else this.#reading.checkStdin(use, document.holes);
      }
    }
  }

  #position(): Level["start"] {
    return { hole: this.#reading.nextHole, offset: this.#reading.at };
  }
}
