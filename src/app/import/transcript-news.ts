import type { TranscriptEntries, TranscriptEntry } from "../../engine/transcript/entries.ts";
import { instantOf, laterOf } from "./instant.ts";
import type { KnownPart } from "./known-part.ts";
import type { Period } from "./ports.ts";
import type { TranscriptSource } from "./source.ts";

export function isRecorded(at: string, periods: readonly Period[]): boolean {
  return periods.some(({ from, until }) => from <= at && at <= until);
}

/** The entries that a transcript gives and its session lacks. The transcript is read as they are asked for. */
export class TranscriptNews {
  readonly #source: TranscriptSource;
  readonly #entries: TranscriptEntries;
  readonly #known: KnownPart;
  /** When what was given last happened. */
  at: string;
  /** When the latest of all that the session has of it happened. */
  until: string;
  /** What the known part cost; undefined when that is not known. */
  knownCostUsd: number | undefined = 0;

  constructor(source: TranscriptSource, entries: TranscriptEntries, known: KnownPart) {
    this.#source = source;
    this.#entries = entries;
    this.#known = known;
    this.at = source.startedAt;
    this.until = laterOf(known.rewrittenAfter, source.startedAt);
  }

  /** Calls `onRead` as the file is read, with where it was read to. */
  *read(onRead: (position: number) => void): Generator<TranscriptEntry> {
    const entries = this.#entries;
    const { position, rewrittenAfter, recorded } = this.#known;
    let hasBegun = position === 0;
    for (const { end, at, events } of this.#source.readings()) {
      this.at = (at === undefined ? undefined : instantOf(at)) ?? this.at;
      if (this.at > this.until) this.until = this.at;
      const isTaken = rewrittenAfter === undefined ? end <= position : this.at <= rewrittenAfter;
      if (!isTaken && !hasBegun) {
        this.#endKnownPart();
        hasBegun = true;
      }
      const isKnown = isTaken || (recorded.length > 0 && isRecorded(this.at, recorded));
      for (const event of events) {
        if (!hasBegun) entries.replay(event);
        else if (isKnown) entries.skip(event);
        else yield* entries.add(event);
      }
      onRead(end);
    }
    if (hasBegun) yield* entries.settle();
    else this.#endKnownPart();
    yield* entries.otherSubagents();
  }

  /** What the last import wrote when it came to the end stands there. */
  #endKnownPart(): void {
    this.#entries.settle();
    this.knownCostUsd = this.#entries.costUsd;
  }
}
