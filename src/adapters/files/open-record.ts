import { nameOf } from "../../session/body-name.ts";
import { crc32 } from "../../session/crc32.ts";
import type { SavedRecord } from "../../app/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter, LogEntry } from "../../contract/session.ts";
import { readBlock, setValues, type FrontmatterBlock } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { hasRoom, updateHead, usualLargeBytes, type HeadPlace } from "../../session/frontmatter/update.ts";
import { encodeEntry, encodeLiveLine, parseLive, type LiveSet } from "../../session/live.ts";
import { writeEntry, type Moment } from "../../session/next-items.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { derivedChanges } from "../../session/row.ts";
import { utf8Length } from "../../session/text.ts";
import { againWhileChanging } from "./again-while-changing.ts";
import { FileChanged, type Disk } from "./disk.ts";
import { isMissing } from "./failure.ts";
import { paths, type Layout } from "./layout.ts";
import { limits, sizeInWords } from "./limits.ts";
import { appendResults } from "./results-file.ts";
import { recover, redactedTally, removeAsides, type RecoverParts } from "./recover.ts";
import { headState, keepState, type RecordState } from "./record-state.ts";

/**
 * One session while its lock is held. Every change goes to the write-ahead copy first, then to session.md, then into
 * the state; the caller syncs the copy after the lock is released and only then acknowledges.
 */
export class OpenRecord {
  readonly id: string;
  readonly state: RecordState;
  private readonly disk: Disk;
  private readonly layout: Layout;
  private readonly parts: RecoverParts;
  private readonly beforeWrite: () => void;
  /** Whether whole results were written, which have to be synced as well. */
  hasResults = false;

  /** `beforeWrite` marks the session as open, so that no reader overlooks what is about to be written. */
  constructor(parts: RecoverParts, id: string, state: RecordState, beforeWrite: () => void) {
    this.parts = parts;
    this.disk = parts.disk;
    this.layout = parts.layout;
    this.id = id;
    this.state = state;
    this.beforeWrite = beforeWrite;
  }

  /** Appends entries, all or none. After a failure, this object has served: what it knows is ahead of the files. */
  async append(entries: LogEntry[], moment: Moment, nowMs: number): Promise<void> {
    // First, so that a crash leaves at worst a result without its entry.
    if (appendResults(this.disk, paths.results(this.layout, this.id), entries)) this.hasResults = true;
    return this.onCurrent(async () => {
      const texts = entries.flatMap((entry) => writeEntry(entry, this.state, moment));
      let n = this.state.n;
      const lines = texts.map((text) => encodeEntry(++n, text)).join("");
      await this.write(lines, texts.join(""));
      this.state.n = n;
      this.state.dirty = true;
      this.state.activeAtMs = nowMs;
      this.remember();
    });
  }

  /** All of the body, read anew. */
  body(): Promise<string> {
    return this.onCurrent(() => normaliseLineEnds(this.readWhole().toString("utf8", this.state.headBytes)));
  }

  /** Sets frontmatter values (`undefined` removes one). */
  set(changes: Record<string, unknown>): Promise<Frontmatter> {
    return this.onCurrent(() => this.setNow(changes));
  }

  private async setNow(changes: Record<string, unknown>): Promise<Frontmatter> {
    const { block, frontmatter } = await this.head();
    const set: LiveSet = {};
    for (const [key, value] of Object.entries(changes)) set[key] = [frontmatter[key] ?? null, value ?? null];
    const liveSize = await this.write(encodeLiveLine({ n: ++this.state.n, set }), "");
    const isActive = ("status" in changes ? changes["status"] : frontmatter.status) === "active";
    try {
      this.writeHead(setValues(block, changes), isActive);
    } catch (error) {
      this.giveBack(liveSize);
      throw error;
    }
    const after = (await this.head()).frontmatter;
    Object.assign(this.state, headState(after, await this.parts.redact()));
    this.remember();
    return after;
  }

  /**
   * A save point: session.md is synced, and what follows from the body is folded into the frontmatter. In this order or both
   * at once, so that the frontmatter never tells of entries that a power cut took away.
   */
  save(nowMs: number): Promise<SavedRecord> {
    return this.onCurrent(() => this.saveNow(nowMs));
  }

  private async saveNow(nowMs: number): Promise<SavedRecord> {
    const { block, frontmatter } = await this.head();
    const changes = derivedChanges(frontmatter, this.state.tally);
    const isActive = frontmatter.status === "active";
    const hasFiller = block.padding !== "" && !hasRoom(this.place(isActive));
    if (Object.keys(changes).length > 0 || hasFiller) this.writeHead(setValues(block, changes), isActive);
    else this.syncRecord();
    const grewFrom = this.state.savedCheck;
    this.state.dirty = false;
    this.state.savedAtMs = nowMs;
    const check = nameOf(this.state.check, this.state.record.size - this.state.headBytes);
    this.state.savedCheck = check;
    this.remember();
    return {
      frontmatter: { ...frontmatter, ...changes },
      tally: this.state.tally,
      check,
      grewFrom,
    };
  }

  /**
   * Changes an entry where it stands, for what is only known later. `before` and `after` are whole entries as rendered;
   * false when the entry no longer stands there as it was written.
   */
  amend(before: string, after: string): Promise<boolean> {
    return this.onCurrent(() => this.amendNow(before, after));
  }

  private async amendNow(before: string, after: string): Promise<boolean> {
    const bytes = this.readWhole();
    const at = bytes.lastIndexOf(before);
    if (at < 0) return false;
    const { liveSize } = this.state;
    const live = parseLive(this.disk.read(paths.live(this.layout, this.id), limits.copy)?.toString("utf8") ?? "");
    const entry = live.entries.findLast((each) => (each.amended ?? each.text) === before);
    if (entry) await this.write(encodeLiveLine({ n: ++this.state.n, amends: entry.n, text: after }), "");
    const rest = bytes.subarray(at + Buffer.byteLength(before));
    const changed = Buffer.concat([bytes.subarray(0, at), Buffer.from(after), rest]);
    this.replaceWith(changed, liveSize);
    const body = changed.subarray(this.state.headBytes);
    this.state.check = crc32(body);
    this.state.savedCheck = null;
    const items = parseItems(normaliseLineEnds(body.toString("utf8")));
    this.state.tally = redactedTally(items, await this.parts.redact());
    this.state.dirty = true;
    this.remember();
    return true;
  }

  /** A new title, in the frontmatter and in the heading that shows it, unless a person changed that heading. */
  async rename(title: string): Promise<void> {
    const { frontmatter } = await this.onCurrent(() => this.head());
    await this.set({ title });
    await this.onCurrent(() => this.renameHeading(frontmatter.title, title));
  }

  private renameHeading(before: string, title: string): void {
    const bytes = this.readWhole();
    const body = bytes.subarray(this.state.headBytes);
    const text = renderItem({ kind: "title", text: before }, "other");
    const shown = [text, text.replaceAll("\n", "\r\n")]
      .map((each) => Buffer.from(each))
      .find((each) => body.subarray(0, each.length).equals(each));
    if (!shown) return;
    const heading = Buffer.from(renderItem({ kind: "title", text: title }, "other"));
    const changed = Buffer.concat([heading, body.subarray(shown.length)]);
    this.replaceWith(Buffer.concat([bytes.subarray(0, this.state.headBytes), changed]));
    this.state.check = crc32(changed);
    this.state.savedCheck = null;
    this.remember();
  }

  async head(): Promise<{ block: FrontmatterBlock; frontmatter: Frontmatter }> {
    const { headBytes, record } = this.state;
    const bytes = this.disk.readRange(paths.record(this.layout, this.id), 0, headBytes, record);
    const block = readBlock(bytes.toString("utf8"));
    return { block, frontmatter: await readFrontmatter(block) };
  }

  /**
   * Does something to session.md, which must be what the state describes. An editor that saved meanwhile has not made a
   * person's deletion of what it did not know: the session is read anew, as any other that somebody touched, and it is done again.
   */
  private onCurrent<T>(work: () => T | Promise<T>): Promise<T> {
    return againWhileChanging(paths.record(this.layout, this.id), async (isAgain) => {
      if (isAgain) Object.assign(this.state, await recover(this.parts, this.id));
      return work();
    });
  }

  private readWhole(): Buffer {
    const { record } = this.state;
    return this.disk.readRange(paths.record(this.layout, this.id), 0, record.size, record);
  }

  /** All of session.md anew. When that fails, the copy gives back what it got since it had `liveSize` bytes. */
  private replaceWith(bytes: Buffer | Buffer[], liveSize = this.state.liveSize): void {
    try {
      removeAsides(this.disk, this.layout, this.id);
      this.state.record = this.disk.replace(paths.record(this.layout, this.id), bytes, undefined, this.state.record);
    } catch (error) {
      if (this.state.liveSize > liveSize) this.giveBack(liveSize);
      throw error;
    }
  }

  /**
   * Write-ahead copy first. When session.md cannot take its part, the copy gives its part back. Returns the size of the copy
   * before these lines.
   */
  private async write(lines: string, text: string): Promise<number> {
    const base = this.state.liveSize > 0 ? "" : await this.baseLine();
    this.refuseTooLong(base + lines, text);
    this.beforeWrite();
    const copy = paths.live(this.layout, this.id);
    if (base !== "") this.state.liveSize = this.disk.append(copy, Buffer.from(base), 0o600).size;
    const before = this.state.liveSize;
    const liveSize = this.disk.append(copy, Buffer.from(lines)).size;
    try {
      if (text !== "") {
        const bytes = Buffer.from(text);
        const file = paths.record(this.layout, this.id);
        this.state.record = this.disk.append(file, bytes, undefined, this.state.record);
        this.state.check = crc32(bytes, this.state.check);
      }
    } catch (error) {
      this.giveBack(before);
      throw error;
    }
    this.state.liveSize = liveSize;
    return before;
  }

  /** What could not be read again must not be written. */
  private refuseTooLong(lines: string, text: string): void {
    const { record, liveSize } = this.state;
    if (record.size + utf8Length(text) <= limits.record && liveSize + utf8Length(lines) <= limits.copy) return;
    throw new ClewError(
      "invalid_input",
      `session ${this.id} would grow longer than ${sizeInWords(limits.record)}`,
      "end it, and start another: clew session start TITLE",
    );
  }

  /** The copy's first line: what session.md was before, without what a person may have typed into it that is secret. */
  private async baseLine(): Promise<string> {
    const redact = await this.parts.redact();
    // All of it, also when git has it today: a reset or a deleted branch must not take it away.
    const head = redact(this.readWhole().toString("utf8"));
    return encodeLiveLine({ n: 0, base: { session: this.id, head } });
  }

  private giveBack(liveSize: number): void {
    this.disk.truncate(paths.live(this.layout, this.id), liveSize);
    this.state.liveSize = liveSize;
  }

  private place(isActive: boolean): HeadPlace {
    const { headBytes, record } = this.state;
    return { headBytes, fileBytes: record.size, largeBytes: this.parts.largeBytes ?? usualLargeBytes, isActive };
  }

  /** The frontmatter of a large, active session is written over in place; any other file is written anew and so synced. */
  private writeHead(block: FrontmatterBlock, isActive: boolean): void {
    const file = paths.record(this.layout, this.id);
    const { text, isInPlace } = updateHead(block, this.place(isActive));
    const head = Buffer.from(text);
    if (isInPlace) {
      this.syncRecord();
      this.state.record = this.disk.overwrite(file, head, this.state.record);
      return;
    }
    this.replaceWith([head, this.readWhole().subarray(this.state.headBytes)]);
    this.state.headBytes = head.length;
  }

  /** An editor that saves by renaming leaves no file for a moment. */
  private syncRecord(): void {
    const file = paths.record(this.layout, this.id);
    try {
      this.disk.syncNow(file);
    } catch (error) {
      if (isMissing(error)) throw new FileChanged(file);
      throw error;
    }
  }

  private remember(): void {
    keepState(this.disk, paths.state(this.layout, this.id), this.state);
  }
}
