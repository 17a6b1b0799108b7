import { ClewError } from "../../contract/errors.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { Frontmatter, Status } from "../../contract/session.ts";
import type { Tail } from "../../session/items.ts";
import type { Tally } from "../../session/tally.ts";
import type { Disk, FileStamp } from "./disk.ts";

/** What the frontmatter says, as far as somebody asks without reading it. */
interface HeadState {
  status: Status;
  parent: string | null;
  /** Where a phase without a channel of its own happens, and who is known to take part. */
  channel: string | null;
  participants: string[];
}

/** A person may have typed anything there: secrets stay where they are. */
export function headState({ status, parent, channel, participants }: Frontmatter, redact: Redact): HeadState {
  return redactRecord(
    { status, parent: parent ?? null, channel: channel ?? null, participants: participants ?? [] },
    redact,
  );
}

/**
 * What the last writer of a session knew, so that the next one need not read the session to append to it. Written
 * without sync and trusted only while its stamps fit the files: when in doubt the session is read anew.
 */
export interface RecordState extends HeadState {
  version: 2;
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
  /** The size of results.jsonl up to the last result whose entry was written: what is behind it has none. */
  resultsSize?: number;
  savedAtMs: number;
  /** Name of the body at the last save point, while the body has only grown since. */
  savedCheck: string | null;
  /** When something was last logged. */
  activeAtMs: number;
}

interface Described {
  boot: string;
  record: FileStamp | undefined;
  liveSize: number;
}

/** Names the files that a state describes: another name whenever one of them was written. */
export function fingerprintOf({ boot, record, liveSize }: Described): string {
  return `${boot} ${record ? `${record.ino}-${record.size}-${record.mtimeNs}` : "none"} ${liveSize}`;
}

export function readState(disk: Disk, path: string): RecordState | undefined {
  try {
    const bytes = disk.read(path);
    if (!bytes) return undefined;
    const end = bytes.indexOf(10);
    const state = JSON.parse(bytes.toString("utf8", 0, Math.max(end, 0))) as RecordState;
    return state.version === 2 ? state : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Written over the old one in place; what an older, longer one leaves behind the first line does not count. A state that
 * cannot be written is one that will not be trusted: what it would have told is read anew.
 */
export function saveState(disk: Disk, path: string, state: RecordState): void {
  try {
    disk.overwrite(path, Buffer.from(`${JSON.stringify(state)}\n`));
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
  }
}
