import type { TranscriptEntries, TranscriptEntry } from "../../engine/transcript/entries.ts";
import { instantOf } from "./instant.ts";
import type { Period } from "./ports.ts";
import type { TranscriptSource } from "./source.ts";

/** What of a transcript its session has: the first bytes, and what Clew wrote down itself while it drove that engine session. */
export interface KnownPart {
  bytes: number;
  recorded: readonly Period[];
}

export const nothingKnown: KnownPart = { bytes: 0, recorded: [] };

export function isRecorded(at: string, periods: readonly Period[]): boolean {
  return periods.some(({ from, until }) => from <= at && at <= until);
}

/** The entries that a transcript gives and its session lacks. The transcript is read as they are asked for. */
export class TranscriptNews {
  readonly #source: TranscriptSource;
  readonly #entries: TranscriptEntries;
  readonly #known: KnownPart;
  /** When what was given last happened, and when the transcript begins. */
  at = "";
  startedAt = "";
  /** What the known part cost; undefined when that is not known. */
  knownCostUsd: number | undefined = 0;

  constructor(source: TranscriptSource, entries: TranscriptEntries, known: KnownPart) {
    this.#source = source;
    this.#entries = entries;
    this.#known = known;
  }

  /** Calls `onRead` as the file is read, with where it was read to. */
  *read(onRead: (bytes: number) => void): Generator<TranscriptEntry> {
    const entries = this.#entries;
    const { bytes, recorded } = this.#known;
    let isNews = bytes === 0;
    for (const { end, at, events } of this.#source.readings()) {
      if (!isNews && end > bytes) {
        this.#endKnownPart();
        isNews = true;
      }
      this.at = (at === undefined ? undefined : instantOf(at)) ?? this.at;
      if (this.startedAt === "") this.startedAt = this.at;
      const isKnown = isNews && recorded.length > 0 && isRecorded(this.at, recorded);
      for (const event of events) {
        if (isKnown) entries.skip(event);
        else if (isNews) yield* entries.add(event);
        else entries.replay(event);
      }
      onRead(end);
    }
    if (isNews) yield* entries.settle();
    else this.#endKnownPart();
    yield* entries.otherSubagents();
  }

  /** What the last import wrote when it came to the end stands there. */
  #endKnownPart(): void {
    this.#entries.settle();
    this.knownCostUsd = this.#entries.costUsd;
  }
}
