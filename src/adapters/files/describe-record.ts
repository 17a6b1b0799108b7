import { crc32 } from "../../session/crc32.ts";
import type { Clock } from "../../app/session/ports.ts";
import type { Redact } from "../../contract/redacted.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import type { Item, Tail } from "../../session/items.ts";
import type { Live } from "../../session/write-ahead-copy.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import { tailAfter } from "../../session/render.ts";
import { tallyOf, type Tally } from "../../session/tally.ts";
import { dropCutOffResults } from "./cut-off-results.ts";
import { paths, type Layout } from "../layout.ts";
import type { Disk, FileStamp } from "./disk.ts";
import { headState, saveState, readState, type RecordState } from "./record-state.ts";

/** A session's text, and the stamp of the file that it was read from. */
export interface StampedText {
  bytes: Buffer;
  stamp: FileStamp;
}

/** The tally of the items, redacted because it is kept outside of session.md: a person may have typed a secret there. */
export function redactedTally(items: Item[], redact: Redact): Tally {
  return redactRecord(tallyOf(items), redact);
}

export function tailOf(items: Item[]): Tail {
  return items.reduce<Tail>((tail, item) => tailAfter(item, tail), "no-phase");
}

export interface DescribeParts {
  disk: Disk;
  layout: Layout;
  clock: Clock;
  /** Names this run of the machine. */
  boot: string;
  /** Removes secrets that a person typed into session.md. */
  redact: () => Promise<Redact>;
}

/** Builds the state of a session from its files, which were just read, and saves it for the next writer. */
export async function describeRecord(
  { disk, layout, clock, boot, redact }: DescribeParts,
  id: string,
  { bytes, stamp: record }: StampedText,
  live: Live,
): Promise<RecordState> {
  const text = bytes.toString("utf8");
  const block = readBlock(text);
  const frontmatter = await readFrontmatter(block);
  const body = text.slice(block.length);
  const items = parseItems(normaliseLineEnds(body));
  const redactText = await redact();
  dropCutOffResults(disk, layout, id, frontmatter);
  const lastState = readState(disk, paths.state(layout, id));
  const results = disk.stamp(paths.results(layout, id))?.size ?? 0;
  const state: RecordState = {
    version: 3,
    // Entries that the last state lacks may have brought the results that it lacks.
    resultsSize: lastState?.n === live.lastN ? Math.min(lastState.resultsSize ?? results, results) : results,
    boot,
    record,
    liveSize: disk.stamp(paths.live(layout, id))?.size ?? 0,
    n: live.lastN,
    headBytes: block.bytes,
    check: crc32(body),
    crlf: text.includes("\r\n"),
    tail: tailOf(items),
    tally: redactedTally(items, redactText),
    ...headState(frontmatter, redactText),
    savedAtMs: 0,
    savedCheck: null,
    activeAtMs: Math.min(clock.now(), Number(BigInt(record.mtimeNs) / 1_000_000n)),
  };
  saveState(disk, paths.state(layout, id), state);
  return state;
}
