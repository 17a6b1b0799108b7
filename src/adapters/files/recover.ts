import { basename, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { refuseConflict } from "../../session/conflict.ts";
import { closeTail } from "../../session/close-tail.ts";
import { Damaged, MergeConflict, readBlock, setValues } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { updateHead, usualLargeBytes } from "../../session/frontmatter/update.ts";
import { parseLive, type Live } from "../../session/write-ahead-copy.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import type { LiveEntry } from "../../session/reconcile.ts";
import { toolsLine } from "../../session/scan.ts";
import type { Disk } from "./disk.ts";
import { baseText, findMissing, type ReadBlob } from "./find-missing-entries.ts";
import { paths, replacement, type Layout } from "../layout.ts";
import { limits } from "./limits.ts";
import { describeRecord, tailOf, type DescribeParts, type StampedText } from "./describe-record.ts";
import { waitWhileEmpty } from "./read-saved-record.ts";
import { closeTornLine, RecordInMemory, recordOnDisk, type RecordFile } from "./record-file.ts";
import type { RecordState } from "./record-state.ts";
import { UnreadableFile } from "./unreadable-file.ts";

export interface RecoverParts extends DescribeParts {
  readBlob: ReadBlob;
  /** From this size on, an active session has room for updates in place. Tests set a smaller one. */
  largeBytes?: number;
  /** Whether another branch than the checked-out one has all that was acknowledged in this session. */
  isElsewhere: (id: string) => boolean;
}

/**
 * Reads a session from its files alone and restores what is missing in session.md. Slow; needed when another program than
 * the last writer changed the files. The caller holds the session's lock and repeats the call when it throws
 * `FileChanged`. Repeating it changes nothing.
 */
export async function recover(parts: RecoverParts, id: string): Promise<RecordState> {
  const { disk, layout } = parts;
  const file = paths.record(layout, id);
  disk.makeFolder(paths.liveFolder(layout));
  removeTempFiles(disk, layout, id);
  const live = readLive(disk, layout, id);
  closeTornLine(disk, layout, id, live);
  try {
    if (live.base) await waitWhileEmpty(disk, file);
    const text = await reconcileFile(parts, id, live, recordOnDisk(disk, layout, id, live));
    return await describeRecord(parts, id, text, live);
  } catch (error) {
    throw asDamaged(id, file, error, live.base && paths.live(layout, id));
  }
}

/**
 * The same for readers: session.md and its copy are read together, and neither is written. If the file lacks nothing and
 * the caller holds the session's lock, the state is saved, so that the next reader need not compare.
 */
export async function readTogether(
  parts: RecoverParts,
  id: string,
  isLocked: boolean,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const { disk, layout } = parts;
  const live = readLive(disk, layout, id);
  try {
    const memory = new RecordInMemory();
    const text = await reconcileFile(parts, id, live, memory);
    if (isLocked && !memory.isBehind && !live.torn) await describeRecord(parts, id, text, live);
    return { bytes: text.bytes, isWhole: !memory.isBehind };
  } catch (error) {
    throw asDamaged(id, paths.record(layout, id), error, live.base && paths.live(layout, id));
  }
}

async function reconcileFile(parts: RecoverParts, id: string, live: Live, record: RecordFile): Promise<StampedText> {
  const read = parts.disk.readStamped(paths.record(parts.layout, id), limits.record);
  const isUsable = read && !(live.base && isBlank(read.bytes));
  return mend(parts, id, isUsable ? read : restoreFromBase(parts, id, live, record, read !== undefined), live, record);
}

/** Removes files that a writer was about to rename to session.md when it died. The caller holds the session's lock. */
export function removeTempFiles(disk: Disk, layout: Layout, id: string): void {
  const folder = paths.session(layout, id);
  const recordName = basename(paths.record(layout, id));
  for (const name of disk.list(folder)) {
    if (replacement.read(name)?.name === recordName) disk.remove(join(folder, name));
  }
}

/** Nothing but blanks, or the zeros that a power cut may leave. No person saves such a file on purpose. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** The error for a session that cannot be read, for its text or for the file itself. `copy` is the path of its copy. */
export function asDamaged(id: string, file: string, error: unknown, copy?: string): unknown {
  if (error instanceof Damaged) return damagedSession(id, file, error, copy);
  return error instanceof UnreadableFile && error.path === file
    ? damagedSession(id, file, new Damaged(error.reason, { cause: error }), copy)
    : error;
}

function damagedSession(id: string, file: string, cause: Damaged, copy: string | undefined): ClewError {
  return new ClewError(
    "damaged_session",
    `session ${id} cannot be read: ${file}: ${cause.message}`,
    cause instanceof MergeConflict
      ? "take out the marks and what is not wanted, or take one side with git checkout --ours FILE; git add FILE settles it. clew brings back what was logged here"
      : `open the file and mend that line; nothing was changed${copy === undefined ? "" : `, and what was logged stands in ${copy}, too`}`,
    { cause },
  );
}

export function unknownSession(id: string): ClewError {
  return new ClewError("unknown_session", `there is no session ${id}`, "clew session list shows those that exist");
}

/** The folder was copied or renamed, so that its entries may belong to another session. */
export function wrongId(foundId: string, folder: string): Damaged {
  return new Damaged(`frontmatter: session_id: says ${foundId}, but the folder is ${folder}`);
}

function readLive(disk: Disk, layout: Layout, id: string): Live {
  return parseLive(disk.read(paths.live(layout, id), limits.copy)?.toString("utf8") ?? "");
}

/** Makes session.md again, as it was when the copy began, after it was removed (a branch switch, `git clean`) or emptied. */
function restoreFromBase(
  { layout, readBlob, isElsewhere }: RecoverParts,
  id: string,
  live: Live,
  record: RecordFile,
  isPresent: boolean,
): StampedText {
  if (live.base && !isPresent && isElsewhere(id)) {
    throw new ClewError(
      "unknown_session",
      `session ${id} is not on this branch; another one holds all of it`,
      `git log --branches --remotes --source -- ':(glob)**/${id}/session.md' tells which`,
    );
  }
  if (!live.base) throw unknownSession(id);
  const text = baseText(live, readBlob);
  if (text === undefined) {
    throw new ClewError(
      "damaged_session",
      `session ${id} is gone, and git no longer has what it was when its write-ahead copy began`,
      `look for it with: git fsck --lost-found; what was logged since stands in ${paths.live(layout, id)}`,
    );
  }
  const bytes = Buffer.from(text);
  return { bytes, stamp: record.make(bytes) };
}

/** Restores entries, additions to entries and settings that the file lacks. Returns the new text. */
async function mend(
  parts: RecoverParts,
  id: string,
  { bytes, stamp: currentStamp }: StampedText,
  live: Live,
  record: RecordFile,
): Promise<StampedText> {
  const text = bytes.toString("utf8");
  const block = readBlock(text);
  const frontmatter = await readFrontmatter(block);
  if (frontmatter.session_id !== id) throw wrongId(frontmatter.session_id, id);
  refuseConflict(text, block.length);
  const body = normaliseLineEnds(text.slice(block.length));
  const differences = findMissing(body, frontmatter, live, parts.readBlob, await parts.redact());
  const { missing, amendments, lostSettings } = differences;
  const sharedEnd = Math.max(differences.sharedEnd, sharedBase(body, live));

  let newText = text;
  let stamp = currentStamp;
  if (amendments.length > 0) {
    newText = text.slice(0, block.length) + replaceRanges(body, amendments);
    stamp = record.replace(Buffer.from(newText), stamp);
  } else if (missing.length > 0 || closeTail(body) !== "") {
    const hasPlainLineEnds = body.length === text.length - block.length;
    const upToShared = text.slice(0, block.length + sharedEnd);
    const tornRest = hasPlainLineEnds ? restOfTornWrite(bytes, upToShared, missing) : undefined;
    const addition = tornRest ?? Buffer.from(closeTail(body) + missingText(body + closeTail(body), missing));
    if (!text.endsWith("\n")) record.close(bytes.length);
    if (addition.length > 0) stamp = record.append(addition, stamp);
    newText = tornRest ? Buffer.concat([bytes, addition]).toString("utf8") : text + addition.toString("utf8");
  }
  if (amendments.length > 0 && missing.length > 0)
    return mend(parts, id, { bytes: Buffer.from(newText), stamp }, live, record);

  if (Object.keys(lostSettings).length === 0) return { bytes: Buffer.from(newText), stamp };
  const isActive = ("status" in lostSettings ? lostSettings["status"] : frontmatter.status) === "active";
  const head = updateHead(setValues(readBlock(newText), lostSettings), {
    headBytes: block.bytes,
    fileBytes: Buffer.byteLength(newText),
    largeBytes: parts.largeBytes ?? usualLargeBytes,
    isActive,
  });
  const whole = Buffer.from(head.text + newText.slice(block.length));
  if (head.isInPlace) stamp = record.overwrite(Buffer.from(head.text), stamp);
  else stamp = record.replace(whole, stamp);
  return { bytes: whole, stamp };
}

/** The title that the session began with, when it is still at the top. */
function sharedBase(body: string, { base }: Live): number {
  if (!base?.head) return 0;
  const title = base.head.slice(readBlock(base.head).length);
  return body.startsWith(title) ? title.length : 0;
}

/** The rest of the missing text, when the file ends in the middle of it; else undefined. */
function restOfTornWrite(bytes: Buffer, upToShared: string, missing: LiveEntry[]): Buffer | undefined {
  const written = bytes.subarray(Buffer.byteLength(upToShared));
  const whole = Buffer.from(missing.map(currentText).join(""));
  const fits =
    written.length > 0 && written.length <= whole.length && whole.subarray(0, written.length).equals(written);
  return fits ? whole.subarray(written.length) : undefined;
}

/** The missing entries as text to append to `body`. */
function missingText(body: string, missing: LiveEntry[]): string {
  const [first, ...others] = missing.map(currentText);
  if (first === undefined) return "";
  const heading = first.startsWith("- `") && tailOf(parseItems(body)) !== "tools" ? `\n${toolsLine}\n` : "";
  return heading + first + others.join("");
}

function currentText(entry: LiveEntry): string {
  return entry.amended ?? entry.text;
}

function replaceRanges(text: string, ranges: { start: number; end: number; text: string }[]): string {
  let result = "";
  let at = 0;
  for (const range of ranges) {
    result += text.slice(at, range.start) + range.text;
    at = range.end;
  }
  return result + text.slice(at);
}
