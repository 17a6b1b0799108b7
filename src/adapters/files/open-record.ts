import { nameOf } from "../../session/body-name.ts";
import { crc32 } from "../../session/crc32.ts";
import type { SavedRecord } from "../../app/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter, LogEntry } from "../../contract/session.ts";
import {
  readBlock,
  renderInPlace,
  renderRoomier,
  setValues,
  type FrontmatterBlock,
} from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { encodeEntry, encodeLiveLine, parseLive, type LiveSet } from "../../session/live.ts";
import { writeEntry, type Moment } from "../../session/next-items.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { derivedChanges } from "../../session/row.ts";
import { tallyOf } from "../../session/tally.ts";
import type { Disk } from "./disk.ts";
import { paths, type Layout } from "./layout.ts";
import type { RecoverParts } from "./recover.ts";
import { writeState, type RecordState } from "./record-state.ts";

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
  append(entries: LogEntry[], moment: Moment, nowMs: number): void {
    const texts = entries.flatMap((entry) => writeEntry(entry, this.state, moment));
    let n = this.state.n;
    const lines = texts.map((text) => encodeEntry(++n, text)).join("");
    this.write(lines, texts.join(""));
    this.state.n = n;
    this.state.dirty = true;
    this.state.activeAtMs = nowMs;
    this.remember();
  }

  /** All of the body, read anew. */
  body(): string {
    return normaliseLineEnds(
      this.disk.read(paths.record(this.layout, this.id))!.toString("utf8", this.state.headBytes),
    );
  }

  /** Sets frontmatter values (`undefined` removes one). */
  async set(changes: Record<string, unknown>): Promise<Frontmatter> {
    const { block, frontmatter } = await this.head();
    const set: LiveSet = {};
    for (const [key, value] of Object.entries(changes)) set[key] = [frontmatter[key] ?? null, value ?? null];
    const liveSize = this.beginLive();
    this.write(encodeLiveLine({ n: ++this.state.n, set }), "");
    try {
      this.writeHead(setValues(block, changes));
    } catch (error) {
      this.giveBack(liveSize);
      throw error;
    }
    const after = (await this.head()).frontmatter;
    this.state.status = after.status;
    this.remember();
    return after;
  }

  /**
   * A save point: session.md is synced, and what follows from the body is folded into the frontmatter. In this order,
   * so that the frontmatter never tells of entries that a power cut took away.
   */
  async save(nowMs: number): Promise<SavedRecord> {
    this.disk.syncNow(paths.record(this.layout, this.id));
    const { block, frontmatter } = await this.head();
    const changes = derivedChanges(frontmatter, this.state.tally);
    if (Object.keys(changes).length > 0) this.writeHead(setValues(block, changes));
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
  amend(before: string, after: string): boolean {
    const file = paths.record(this.layout, this.id);
    const bytes = this.disk.read(file)!;
    const at = bytes.lastIndexOf(before);
    if (at < 0) return false;
    const live = parseLive(this.disk.read(paths.live(this.layout, this.id))?.toString("utf8") ?? "");
    const entry = live.entries.findLast((each) => (each.amended ?? each.text) === before);
    if (entry) this.write(encodeLiveLine({ n: ++this.state.n, amends: entry.n, text: after }), "");
    const rest = bytes.subarray(at + Buffer.byteLength(before));
    const changed = Buffer.concat([bytes.subarray(0, at), Buffer.from(after), rest]);
    this.state.record = this.disk.replace(file, changed);
    const body = changed.subarray(this.state.headBytes);
    this.state.check = crc32(body);
    this.state.savedCheck = null;
    this.state.tally = tallyOf(parseItems(normaliseLineEnds(body.toString("utf8"))));
    this.state.dirty = true;
    this.remember();
    return true;
  }

  /** A new title, in the frontmatter and in the heading that shows it, unless a person changed that heading. */
  async rename(title: string): Promise<void> {
    const { frontmatter } = await this.head();
    await this.set({ title });
    const file = paths.record(this.layout, this.id);
    const bytes = this.disk.read(file)!;
    const body = bytes.subarray(this.state.headBytes);
    const text = renderItem({ kind: "title", text: frontmatter.title }, "other");
    const shown = [text, text.replaceAll("\n", "\r\n")]
      .map((each) => Buffer.from(each))
      .find((each) => body.subarray(0, each.length).equals(each));
    if (!shown) return;
    const heading = Buffer.from(renderItem({ kind: "title", text: title }, "other"));
    const changed = Buffer.concat([heading, body.subarray(shown.length)]);
    this.state.record = this.disk.replace(file, Buffer.concat([bytes.subarray(0, this.state.headBytes), changed]));
    this.state.check = crc32(changed);
    this.state.savedCheck = null;
    this.remember();
  }

  async head(): Promise<{ block: FrontmatterBlock; frontmatter: Frontmatter }> {
    const bytes = this.disk.readRange(paths.record(this.layout, this.id), 0, this.state.headBytes);
    const block = readBlock(bytes.toString("utf8"));
    return { block, frontmatter: await readFrontmatter(block) };
  }

  /** Write-ahead copy first. When session.md cannot take its part, the copy gives its part back. */
  private write(lines: string, text: string): void {
    this.beforeWrite();
    const before = this.beginLive();
    const liveSize = this.disk.append(paths.live(this.layout, this.id), Buffer.from(lines)).size;
    try {
      if (text !== "") {
        const bytes = Buffer.from(text);
        this.state.record = this.disk.append(paths.record(this.layout, this.id), bytes);
        this.state.check = crc32(bytes, this.state.check);
      }
    } catch (error) {
      this.giveBack(before);
      throw error;
    }
    this.state.liveSize = liveSize;
  }

  /** The copy's first line: what session.md was before. Returns the size of the copy. */
  private beginLive(): number {
    if (this.state.liveSize > 0) return this.state.liveSize;
    const bytes = this.disk.read(paths.record(this.layout, this.id))!;
    // All of it, also when git has it today: a reset or a deleted branch must not take it away.
    const line = encodeLiveLine({ n: 0, base: { session: this.id, head: bytes.toString("utf8") } });
    this.state.liveSize = this.disk.append(paths.live(this.layout, this.id), Buffer.from(line), 0o600).size;
    return this.state.liveSize;
  }

  private giveBack(liveSize: number): void {
    this.disk.truncate(paths.live(this.layout, this.id), liveSize);
    this.state.liveSize = liveSize;
  }

  private writeHead(block: FrontmatterBlock): void {
    const file = paths.record(this.layout, this.id);
    const inPlace = renderInPlace(block, this.state.headBytes);
    if (inPlace !== undefined) {
      this.state.record = this.disk.overwrite(file, Buffer.from(inPlace));
      return;
    }
    const body = this.disk.read(file)!.subarray(this.state.headBytes);
    const head = Buffer.from(renderRoomier(block));
    this.state.record = this.disk.replace(file, Buffer.concat([head, body]));
    this.state.headBytes = head.length;
  }

  /** A state that cannot be written is one that will not be trusted: what it would have told is read anew. */
  private remember(): void {
    try {
      writeState(this.disk, paths.state(this.layout, this.id), this.state);
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
    }
  }
}
