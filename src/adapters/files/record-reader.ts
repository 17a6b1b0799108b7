import type { RecordText, SavedRecord, SessionRecords } from "../../app/session/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { bodyName, bodyNameOf } from "../../session/body-name.ts";
import { refuseConflict } from "../../session/conflict.ts";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import { derivedChanges } from "../../session/row.ts";
import { tallyOf } from "../../session/tally.ts";
import { retryOnChange } from "./retry-on-change.ts";
import { FileChanged, sameStamp, pathExists } from "./disk.ts";
import { withFallback } from "./failure.ts";
import { paths } from "../layout.ts";
import { limits } from "./limits.ts";
import type { Locks } from "./lock.ts";
import { fingerprintOf, glanceOf, readState, type RecordState } from "./record-state.ts";
import { asDamaged, readTogether, wrongId, type RecoverParts } from "./recover.ts";

/** How often a reader reads without the lock while others write. */
const readTries = 3;

/** How long a reader waits for a writer. */
export const readerTimeoutMs = 500;
/** After these errors a reader goes on without the lock: nothing can be written here, or its holder does not release it. */
const lockFailures = new Set<string>(["no_permission", "disk_full", "locked"]);

/** `locks` is a function because readers of an unchanged session need none, and loading them takes time. */
export interface RecordParts extends RecoverParts {
  locks: () => Promise<Locks>;
}

export interface RecordReader extends Pick<SessionRecords, "read" | "summary" | "glance" | "fingerprint" | "isWhole"> {
  /** The state that the last writer saved, if no other program has changed the files since. */
  trustedState(id: string): RecordState | undefined;
  /** The bytes of session.md; undefined when it is missing. Throws when it cannot be read. */
  readFile(id: string): Buffer | undefined;
}

/** Reads sessions: session.md and its write-ahead copy together. Never writes to either. */
export function recordReader(parts: RecordParts): RecordReader {
  const { disk, layout, locks, boot } = parts;

  function trustedState(id: string): RecordState | undefined {
    const state = readState(disk, paths.state(layout, id));
    // When a stamp fails, reading the file will report why.
    return withFallback(() => {
      if (state?.boot !== boot || !sameStamp(state.record, disk.stamp(paths.record(layout, id)))) return undefined;
      return copySize(id) === state.liveSize ? state : undefined;
    }, undefined);
  }

  function copySize(id: string): number {
    return disk.stamp(paths.live(layout, id))?.size ?? 0;
  }

  /** The session as the state describes it; undefined when the file has changed since. */
  async function readTrusted(id: string, { record, check, headBytes }: RecordState): Promise<RecordText | undefined> {
    const bytes = unlessChanged(() => disk.readRange(paths.record(layout, id), 0, record.size, record));
    return bytes && readText(id, bytes, { check: bodyNameOf(check, record.size - headBytes) });
  }

  /** A `check` that the caller has need not be computed. */
  async function readText(
    id: string,
    bytes: Buffer,
    { check, isWhole = true }: { check?: string; isWhole?: boolean } = {},
  ): Promise<RecordText> {
    const file = paths.record(layout, id);
    const raw = bytes.toString("utf8");
    try {
      const block = readBlock(raw);
      const body = raw.slice(block.length);
      const frontmatter = await readFrontmatter(block);
      if (frontmatter.session_id !== id) throw wrongId(frontmatter.session_id, id);
      refuseConflict(raw, block.length);
      // No CRLF is split between frontmatter and body: normalising all at once gives the same as each by itself.
      const text = normaliseLineEnds(raw);
      const bodyStart = normaliseLineEnds(raw.slice(0, block.length)).length;
      return { text, bodyStart, frontmatter, check: check ?? bodyName(body), isWhole };
    } catch (error) {
      throw asDamaged(id, file, error, copyPath(id));
    }
  }

  /** The path of the write-ahead copy; undefined when there is none. */
  function copyPath(id: string): string | undefined {
    const copy = paths.live(layout, id);
    return disk.stamp(copy) && copy;
  }

  function readFile(id: string): Buffer | undefined {
    const file = paths.record(layout, id);
    try {
      return disk.readStamped(file, limits.record)?.bytes;
    } catch (error) {
      throw asDamaged(id, file, error, copyPath(id));
    }
  }

  /** Waits for a writer, but not for long: a stopped writer must not block readers. `isLocked`: no writer is at work. */
  async function betweenWrites<T>(id: string, work: (isLocked: boolean) => Promise<T>): Promise<T> {
    try {
      return await (await locks()).with(`session/${id}`, () => work(true), readerTimeoutMs);
    } catch (error) {
      if (!(error instanceof ClewError) || !lockFailures.has(error.code)) throw error;
      return retryOnChange(paths.record(layout, id), () => work(false));
    }
  }

  async function read(id: string): Promise<RecordText> {
    for (let tries = 0; tries < readTries; tries++) {
      const state = trustedState(id);
      const record = state && (await readTrusted(id, state));
      if (record) return record;
      if (!state) break;
    }
    // Without a write-ahead copy there is nothing to compare the file with, and no reason to wait for the lock.
    const bytes = pathExists(disk, paths.live(layout, id)) ? undefined : readFile(id);
    if (bytes) return readText(id, bytes);
    return betweenWrites(id, async (isLocked) => {
      const record = await readTogether(parts, id, isLocked);
      return readText(id, record.bytes, record);
    });
  }

  /** Reads the state and the frontmatter alone; undefined when the state cannot be trusted. */
  async function summaryFromState(id: string): Promise<SavedRecord | undefined> {
    const state = trustedState(id);
    if (!state) return undefined;
    const { record, headBytes, check, tally } = state;
    const head = unlessChanged(() => disk.readRange(paths.record(layout, id), 0, headBytes, record));
    if (!head) return undefined;
    const frontmatter = await readFrontmatter(readBlock(head.toString("utf8")));
    return {
      frontmatter: { ...frontmatter, ...derivedChanges(frontmatter, tally) },
      tally,
      check: bodyNameOf(check, record.size - headBytes),
      grewFrom: state.savedCheck,
      hasCounted: false,
      files: fingerprintOf(state),
    };
  }

  function fingerprint(id: string): string {
    return fingerprintOf({ boot, record: disk.stamp(paths.record(layout, id)), liveSize: copySize(id) });
  }

  return {
    trustedState,
    readFile,
    read,
    fingerprint,
    isWhole: (id) => trustedState(id) !== undefined,

    async summary(id) {
      const summary = await summaryFromState(id);
      if (summary) return summary;
      // Taken before the read, so that what is written meanwhile is noticed the next time.
      const files = fingerprint(id);
      const record = await read(id);
      const tally = tallyOf(parseItems(record.text.slice(record.bodyStart)));
      const frontmatter = { ...record.frontmatter, ...derivedChanges(record.frontmatter, tally) };
      return { frontmatter, tally, check: record.check, grewFrom: null, hasCounted: false, files };
    },

    glance(id) {
      const state = readState(disk, paths.state(layout, id));
      return state && glanceOf(state);
    },
  };
}

/** Undefined when another program wrote to the file meanwhile. */
function unlessChanged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileChanged) return undefined;
    throw error;
  }
}
