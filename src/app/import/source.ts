import type { TranscriptAbout, TranscriptEvent, TranscriptReader } from "../../engine/transcript/event.ts";
import { instantOf, nearestInstant } from "./instant.ts";
import type { TranscriptFile, Transcripts } from "./ports.ts";

/** A line that says something. */
export interface Reading {
  /** Where it ends in the file. */
  end: number;
  at: string | undefined;
  events: TranscriptEvent[];
}

/** What could not be read in one file. */
class Problems {
  broken = 0;
  firstBroken = 0;
  tooLong = 0;
  impossibleCounts = 0;
  readonly unknown = new Map<string, number>();

  /** In words; undefined when there is none. */
  inWords(): string | undefined {
    const parts = [
      ...(this.broken > 0 ? [`line ${this.firstBroken} is no JSON object${more(this.broken)}`] : []),
      ...(this.tooLong > 0 ? [`${lines(this.tooLong)} too long to be read`] : []),
      ...(this.impossibleCounts > 0
        ? [`${lines(this.impossibleCounts)} with a number of tokens that cannot be, which counts for none`]
        : []),
    ];
    return parts.length === 0 ? undefined : `${parts.join("; ")}; the rest was read`;
  }
}

function more(count: number): string {
  return count === 1 ? "" : `, and ${lines(count - 1)} more`;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

/** A file that names more unknown kinds than these, or longer ones, is no transcript of a later version. */
const maxKinds = 100;
const maxKindChars = 200;
const otherKinds = "one of many";

/** So many lines are read to find out whose transcript it is and how it begins. */
const headLines = 400;

/** An event that can be kept: what is not decoded yet is valid only until the next line is read. */
function decoded(event: TranscriptEvent): TranscriptEvent {
  if (event.type !== "tool_result" || typeof event.output === "string") return event;
  return { ...event, output: event.output.decode() };
}

/** One transcript, read once from its beginning to its end. */
export class TranscriptSource {
  readonly file: TranscriptFile;
  readonly problems = new Problems();
  /** The end of the last whole line. */
  end = 0;
  /** When the agent began. A transcript that tells no time began, as far as is known, when it was last written. */
  startedAt: string;
  readonly #reader: TranscriptReader;
  readonly #readings: Iterator<Reading>;
  #head: Reading[] = [];

  constructor(transcripts: Transcripts, file: TranscriptFile) {
    this.file = file;
    this.startedAt = nearestInstant(file.writtenMs);
    this.#reader = transcripts.reader(file);
    this.#readings = this.#read(transcripts)[Symbol.iterator]();
  }

  /** What the file's name and its lines so far tell. */
  get about(): TranscriptAbout {
    const { parent, ...named } = this.file.about;
    const known = { ...this.#reader.about, ...named };
    return parent ? { ...known, parent } : known;
  }

  /**
   * Reads until it is known when and where the agent worked and what it was asked first. Returns what was asked, and whether the
   * transcript says anything at all.
   */
  readHead(): { prompt: string | undefined; isEmpty: boolean } {
    const promptIn = ({ events }: Reading): TranscriptEvent | undefined => events.find(({ type }) => type === "prompt");
    const timeIn = ({ at }: Reading): string | undefined => (at === undefined ? undefined : instantOf(at));
    let prompt: TranscriptEvent | undefined;
    let startedAt: string | undefined;
    const isKnown = (): boolean => prompt !== undefined && startedAt !== undefined && this.about.cwd !== undefined;
    while (this.#head.length < headLines && !isKnown()) {
      const next = this.#readings.next();
      if (next.done) break;
      this.#head.push({ ...next.value, events: next.value.events.map(decoded) });
      prompt ??= promptIn(next.value);
      startedAt ??= timeIn(next.value);
    }
    if (startedAt !== undefined) this.startedAt = startedAt;
    return { prompt: prompt && (prompt as { text: string }).text, isEmpty: this.#head.length === 0 };
  }

  /** All that the transcript says, from its beginning. */
  *readings(): Generator<Reading> {
    const head = this.#head;
    this.#head = [];
    yield* head;
    for (let next = this.#readings.next(); !next.done; next = this.#readings.next()) yield next.value;
  }

  close(): void {
    this.#readings.return?.();
  }

  *#read(transcripts: Transcripts): Generator<Reading> {
    let number = 0;
    for (const { bytes, end, isTorn } of transcripts.lines(this.file)) {
      number += 1;
      const line = bytes === null ? undefined : this.#reader.read(bytes);
      if (bytes === null) this.problems.tooLong += 1;
      if (line && "problem" in line) {
        // It is being written just now.
        if (isTorn) return;
        this.#note(line.problem, number);
      }
      this.end = end;
      if (line && "events" in line && line.hasImpossibleCount) this.problems.impossibleCounts += 1;
      if (line && "events" in line && line.events.length > 0) yield { end, at: line.at, events: line.events };
    }
  }

  #note(problem: "broken" | { unknown: string }, number: number): void {
    if (problem === "broken") {
      if (this.problems.broken === 0) this.problems.firstBroken = number;
      this.problems.broken += 1;
    } else {
      const { unknown } = this.problems;
      const isListed =
        unknown.has(problem.unknown) || (unknown.size < maxKinds && problem.unknown.length <= maxKindChars);
      const kind = isListed ? problem.unknown : otherKinds;
      unknown.set(kind, (unknown.get(kind) ?? 0) + 1);
    }
  }
}
