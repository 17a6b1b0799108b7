import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { refuseConflict } from "../../session/conflict.ts";
import { closeTail } from "../../session/close-tail.ts";
import { Damaged, MergeConflict, readBlock, setValues } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { updateHead, usualLargeBytes } from "../../session/frontmatter/update.ts";
import { parseLive, type Live } from "../../session/live.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import type { LiveEntry } from "../../session/reconcile.ts";
import { toolsLine } from "../../session/scan.ts";
import type { Disk } from "./disk.ts";
import { baseText, findMissing, type ReadBlob } from "./find-missing.ts";
import { paths, type Layout } from "../layout.ts";
import { limits } from "./limits.ts";
import { describeRecord, tailOf, type DescribeParts, type StampedText } from "./describe-record.ts";
import { waitWhileEmpty } from "./read-saved.ts";
import { closeTornLine, RecordInMemory, recordOnDisk, type RecordFile } from "./record-file.ts";
import type { RecordState } from "./record-state.ts";
import { UnreadableFile } from "./unreadable-file.ts";

export interface RecoverParts extends DescribeParts {
  readBlob: ReadBlob;
  /** From this size on, an active session has room for updates in place. A test takes less. */
  largeBytes?: number;
  /** Whether another branch than the one that is checked out holds all that was acknowledged in this session. */
  isElsewhere: (id: string) => boolean;
}

/**
 * Reads a session from the files alone and brings back what is missing: the slow, sure path, taken when somebody other
 * than the last writer touched the files. The caller holds the session's lock, and repeats it when it throws
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
    return await describeRecord(
      parts,
      id,
      await reconcileFile(parts, id, live, recordOnDisk(disk, layout, id, live)),
      live,
    );
  } catch (error) {
    throw asDamaged(id, file, error, live.base && paths.live(layout, id));
  }
}

/**
 * The same for whoever only reads: session.md and its copy are read together, and neither is written. Where the file lacks
 * nothing and the caller holds the session's lock, the state is kept, so that the next one need not compare.
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
    const found = await reconcileFile(parts, id, live, memory);
    if (isLocked && !memory.isBehind && !live.torn) await describeRecord(parts, id, found, live);
    return { bytes: found.bytes, isWhole: !memory.isBehind };
  } catch (error) {
    throw asDamaged(id, paths.record(layout, id), error, live.base && paths.live(layout, id));
  }
}

async function reconcileFile(parts: RecoverParts, id: string, live: Live, record: RecordFile): Promise<StampedText> {
  const read = parts.disk.readStamped(paths.record(parts.layout, id), limits.record);
  const isUsable = read && !(live.base && isBlank(read.bytes));
  return mend(parts, id, isUsable ? read : restoreFromBase(parts, id, live, record, read !== undefined), live, record);
}

/** Files that a writer was about to put in place of session.md when it died. Nobody else writes while the lock is held. */
export function removeTempFiles(disk: Disk, layout: Layout, id: string): void {
  const folder = paths.session(layout, id);
  for (const name of disk.list(folder)) if (/^\.session\.md\.\d+\.new$/.test(name)) disk.remove(join(folder, name));
}

/** Nothing but blanks, or the zeros that a power cut may leave: no person means that. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** A session that cannot be read, whether its text or the file itself is at fault. `copy`: what was logged is there, too. */
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

/** A copied or renamed folder: whose entries would these be? */
export function wrongId(foundId: string, folder: string): Damaged {
  return new Damaged(`frontmatter: session_id: says ${foundId}, but the folder is ${folder}`);
}

function readLive(disk: Disk, layout: Layout, id: string): Live {
  return parseLive(disk.read(paths.live(layout, id), limits.copy)?.toString("utf8") ?? "");
}

/** session.md is gone (a branch switch, `git clean`), or has nothing in it any more: made again from what it was when the copy began. */
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
  if (!live.base) {
    throw unknownSession(id);
  }
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

/** Brings back entries, additions to entries and settings that the file does not show. Returns the text as it is then. */
async function mend(
  parts: RecoverParts,
  id: string,
  found: StampedText,
  live: Live,
  record: RecordFile,
): Promise<StampedText> {
  const { bytes } = found;
  const text = bytes.toString("utf8");
  const block = readBlock(text);
  const frontmatter = await readFrontmatter(block);
  if (frontmatter.session_id !== id) {
    throw wrongId(frontmatter.session_id, id);
  }
  refuseConflict(text, block.length);
  const body = normaliseLineEnds(text.slice(block.length));
  const {
    missing,
    sharedEnd: lastShared,
    amend,
    lostSettings,
  } = findMissing(body, frontmatter, live, {
    readBlob: parts.readBlob,
    redact: await parts.redact(),
  });
  const sharedEnd = Math.max(lastShared, sharedBase(body, live));

  let newText = text;
  let { stamp } = found;
  if (amend.length > 0) {
    newText = text.slice(0, block.length) + replaceRanges(body, amend);
    stamp = record.replace(Buffer.from(newText), stamp);
  } else if (missing.length > 0 || closeTail(body) !== "") {
    const exact = body.length === text.length - block.length;
    const torn = exact ? restOfTornWrite(bytes, text.slice(0, block.length + sharedEnd), missing) : undefined;
    const addition = torn ?? Buffer.from(closeTail(body) + missingText(body + closeTail(body), missing));
    if (!text.endsWith("\n")) record.close(bytes.length);
    if (addition.length > 0) stamp = record.append(addition, stamp);
    newText = torn ? Buffer.concat([bytes, addition]).toString("utf8") : text + addition.toString("utf8");
  }
  if (amend.length > 0 && missing.length > 0)
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

/** When the file breaks off inside the very text that is missing, only the rest of that text. */
function restOfTornWrite(bytes: Buffer, upToShared: string, missing: LiveEntry[]): Buffer | undefined {
  const written = bytes.subarray(Buffer.byteLength(upToShared));
  const whole = Buffer.from(missing.map(currentText).join(""));
  const fits =
    written.length > 0 && written.length <= whole.length && whole.subarray(0, written.length).equals(written);
  return fits ? whole.subarray(written.length) : undefined;
}

/** The missing entries as text that can stand at the end of `body`. */
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
