import type { RecordGlance } from "../../app/session/ports.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { Status } from "../../contract/session-values.ts";
import type { Tail } from "../../session/items.ts";
import type { Tally } from "../../session/tally.ts";
import type { Disk, FileStamp } from "./disk.ts";
import { withFallback } from "./failure.ts";

/** Values of the frontmatter that are needed without reading it. */
interface HeadState {
  status: Status;
  parent: string | null;
  /** The channel of phases without their own, and the participants so far. */
  channel: string | null;
  participants: string[];
}

/** Redacted, because a person may have typed a secret into the frontmatter. */
export function headState({ status, parent, channel, participants }: Frontmatter, redact: Redact): HeadState {
  return redactRecord(
    { status, parent: parent ?? null, channel: channel ?? null, participants: participants ?? [] },
    redact,
  );
}

/**
 * What the last writer of a session knew, so that the next one need not read the session to append to it. Not synced, and
 * trusted only while its stamps fit the files: when in doubt the session is recovered from its files.
 */
export interface RecordState extends HeadState {
  version: 3;
  /** The run of the machine in which it was written: after a power cut, stamps say nothing about contents. */
  boot: string;
  /** session.md and the size of the write-ahead copy, as this state describes them. */
  record: FileStamp;
  liveSize: number;
  /** Number of the last line in the write-ahead copy. */
  n: number;
  /** Bytes of frontmatter, and checksum of the body behind it. */
  headBytes: number;
  check: number;
  /** The file has CRLF line ends somewhere, so that places in its text are not places in the file. */
  crlf: boolean;
  tail: Tail;
  tally: Tally;
  /** The size of results.jsonl up to the last result whose entry was written: later results have no entry. */
  resultsSize?: number;
  savedAtMs: number;
  /** Name of the body at the last save point, while the body has only grown since. */
  savedCheck: string | null;
  /** When something was last logged. */
  activeAtMs: number;
}

/** Identifies the content of session.md and its copy: differs whenever one of them was written. */
export function fingerprintOf(state: { boot: string; record: FileStamp | undefined; liveSize: number }): string {
  const { boot, record, liveSize } = state;
  return `${boot} ${record ? `${record.ino}-${record.size}-${record.mtimeNs}` : "none"} ${liveSize}`;
}

export function glanceOf({ status, parent, savedAtMs, activeAtMs }: RecordState): RecordGlance {
  return { status, parent, savedAtMs, activeAtMs };
}

export function readState(disk: Disk, path: string): RecordState | undefined {
  try {
    const bytes = disk.read(path);
    if (!bytes) return undefined;
    const end = bytes.indexOf(10);
    const state = JSON.parse(bytes.toString("utf8", 0, Math.max(end, 0))) as RecordState;
    return state.version === 3 ? state : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Overwrites the old state in place; only the first line counts, because an older state may have been longer. A state that
 * cannot be written is not trusted later: the session is then recovered from its files.
 */
export function saveState(disk: Disk, path: string, state: RecordState): void {
  withFallback(() => void disk.overwrite(path, Buffer.from(`${JSON.stringify(state)}\n`)), undefined);
}
