import type { HereDocument, Input, Reading } from "./reading.ts";

/** A list of commands: the whole script, or what stands in parentheses, between `{` and `}`, `if` and `fi`. */
interface Level {
  /** Where the pipeline that is being read begins. */
  start: { hole: number; offset: number };
  /** Its last `|`: what stands before goes into what stands behind. */
  pipe: number | undefined;
  /** The here-documents before that; their texts may come later, even in the middle of what reads them. */
  documents: HereDocument[];
  /** What the commands of this list make of the standard input that they share. */
  inputs: Input[];
}

const MAX_LEVELS = 300;

/** Knows for the command that is being read what writes into its standard input, through groups of commands too. */
export class Pipelines {
  readonly #reading: Reading;
  readonly #levels: Level[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  get depth(): number {
    return this.#levels.length;
  }

  open(): void {
    if (this.#levels.length === MAX_LEVELS) {
      throw this.#reading.unclear("the script nests too deep here", "Split it into functions or steps.");
    }
    this.#levels.push({ start: this.#here(), pipe: undefined, documents: [], inputs: [] });
  }

  /** Leaves levels until `depth` are left, and gives what the outermost of them does with its input. */
  close(depth: number): Input[] {
    return this.#levels.splice(depth)[0]?.inputs ?? [];
  }

  /** A pipeline has ended; the next begins here. */
  begin(): void {
    const level = this.#levels.at(-1)!;
    level.start = this.#here();
    level.pipe = undefined;
    level.documents = [];
  }

  pipe(): void {
    const level = this.#levels.at(-1)!;
    const known = level.documents.at(-1)?.end ?? level.start.offset;
    level.documents.push(...this.#reading.pending.filter((document) => document.start >= known));
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

  /** A command takes its standard input so: judges all that comes to it through pipes. */
  feed(input: Input): void {
    for (const { start, pipe, documents, inputs } of this.#levels) {
      inputs.push(input);
      if (pipe === undefined) continue;
      this.#reading.takeInput(input, { first: start.hole, end: pipe });
      for (const document of documents) {
        if (document.holes === undefined) document.inputs.push(input);
        else this.#reading.takeInput(input, document.holes);
      }
    }
  }

  #here(): Level["start"] {
    return { hole: this.#reading.nextHole, offset: this.#reading.at };
  }
}
