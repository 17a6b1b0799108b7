import { bodyNameOf } from "../../session/body-name.ts";
import type { SavedRecord } from "../../app/session/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter, LogEntry, SubagentNews } from "../../contract/session.ts";
import { setValues } from "../../session/frontmatter/frontmatter.ts";
import { encodeEntry, encodeLiveLine, parseLive, type LiveLine, type LiveSet } from "../../session/write-ahead-copy.ts";
import { writeEntry, type Moment } from "../../session/write-entry.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { derivedChanges } from "../../session/row.ts";
import { retryOnChange } from "./retry-on-change.ts";
import type { Disk } from "./disk.ts";
import { paths, type Layout } from "../layout.ts";
import { limits, sizeInWords } from "./limits.ts";
import { appendResults, dropOrphans } from "./results-file.ts";
import { redactedTally } from "./describe-record.ts";
import { recover, type RecoverParts } from "./recover.ts";
import { fingerprintOf, headState, saveState, type RecordState } from "./record-state.ts";
import { SessionFile } from "./session-file.ts";

/**
 * One session while its lock is held. Every change goes to the write-ahead copy first, then to session.md, then into
 * the state; the caller syncs the copy after the lock is released and only then acknowledges.
 */
export class OpenRecord {
  readonly id: string;
  readonly state: RecordState;
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #parts: RecoverParts;
  readonly #beforeWrite: () => void;
  readonly #file: SessionFile;
  /** Whether whole results were written, so that their file has to be synced, too. */
  hasResults = false;

  /** `beforeWrite` marks the session as open, so that readers notice what is about to be written. */
  constructor(parts: RecoverParts, id: string, state: RecordState, beforeWrite: () => void) {
    this.#parts = parts;
    this.#disk = parts.disk;
    this.#layout = parts.layout;
    this.id = id;
    this.state = state;
    this.#file = new SessionFile(parts, id, state);
    this.#beforeWrite = beforeWrite;
  }

  /** Appends entries, all or none. After a failure, this object must not be used: its state is ahead of the files. */
  async append(entries: LogEntry[], moment: Moment, nowMs: number): Promise<void> {
    const results = paths.results(this.#layout, this.id);
    dropOrphans(this.#disk, results, this.state.resultsSize);
    const before = this.#resultsSize();
    try {
      // Results come first, so that a crash leaves at worst a result without its entry.
      if (appendResults(this.#disk, results, entries)) this.hasResults = true;
      await this.#retryOnChange(async () => {
        const texts = entries.flatMap((entry) => writeEntry(entry, this.state, moment));
        let n = this.state.n;
        const lines = texts.map((text) => encodeEntry(++n, text)).join("");
        await this.#write(Buffer.from(lines), Buffer.from(texts.join("")));
        this.state.n = n;
        this.state.activeAtMs = nowMs;
        this.state.resultsSize = this.#resultsSize();
        this.#saveState();
      });
    } catch (error) {
      dropOrphans(this.#disk, results, before);
      throw error;
    }
  }

  #resultsSize(): number {
    return this.#disk.stamp(paths.results(this.#layout, this.id))?.size ?? 0;
  }

  body(): Promise<string> {
    return this.#retryOnChange(() => normaliseLineEnds(this.#file.read().toString("utf8", this.state.headBytes)));
  }

  /** Sets frontmatter values (`undefined` removes one). */
  set(changes: Record<string, unknown>): Promise<Frontmatter> {
    return this.#retryOnChange(() => this.#setNow(changes));
  }

  async #setNow(changes: Record<string, unknown>): Promise<Frontmatter> {
    const { block, frontmatter } = await this.#file.head();
    const set: LiveSet = {};
    for (const [key, value] of Object.entries(changes)) set[key] = [frontmatter[key] ?? null, value ?? null];
    const liveSize = await this.#writeCopy({ n: ++this.state.n, set });
    const isActive = ("status" in changes ? changes["status"] : frontmatter.status) === "active";
    try {
      this.#file.writeHead(setValues(block, changes), isActive);
    } catch (error) {
      this.#truncateCopy(liveSize);
      throw error;
    }
    const updated = (await this.#file.head()).frontmatter;
    Object.assign(this.state, headState(updated, await this.#parts.redact()));
    this.#saveState();
    return updated;
  }

  /**
   * A save point: session.md is synced, and what follows from the body is written into the frontmatter. In this order or
   * both at once, so that the frontmatter never counts entries that a power cut lost.
   */
  save(nowMs: number, news?: SubagentNews): Promise<SavedRecord> {
    return this.#retryOnChange(() => this.#saveNow(nowMs, news));
  }

  async #saveNow(nowMs: number, news: SubagentNews | undefined): Promise<SavedRecord> {
    const { block, frontmatter } = await this.#file.head();
    const changes = derivedChanges(frontmatter, this.state.tally, news);
    // The news are in no entry of this session, so that they are restored from the copy, as settings are.
    if (news && "subagents" in changes) {
      const set: LiveSet = { subagents: [frontmatter.subagents ?? null, changes["subagents"]] };
      await this.#writeCopy({ n: ++this.state.n, set });
    }
    const isActive = frontmatter.status === "active";
    if (Object.keys(changes).length > 0 || this.#file.hasFiller(block, isActive) || block.hadDuplicateKey)
      this.#file.writeHead(setValues(block, changes), isActive);
    else this.#file.sync();
    dropOrphans(this.#disk, paths.results(this.#layout, this.id), this.state.resultsSize);
    const grewFrom = this.state.savedCheck;
    this.state.savedAtMs = nowMs;
    const check = bodyNameOf(this.state.check, this.state.record.size - this.state.headBytes);
    this.state.savedCheck = check;
    this.#saveState();
    return {
      frontmatter: { ...frontmatter, ...changes },
      tally: this.state.tally,
      check,
      grewFrom,
      files: fingerprintOf(this.state),
      hasCounted: "tokens_used" in changes,
    };
  }

  /**
   * Changes an entry in its place, when its result is only known later. `before` and `after` are whole entries as rendered.
   * Returns false when the file no longer has the entry as it was written.
   */
  amend(before: string, after: string): Promise<boolean> {
    return this.#retryOnChange(() => this.#amendNow(before, after));
  }

  async #amendNow(before: string, after: string): Promise<boolean> {
    const body = this.#file.read().subarray(this.state.headBytes);
    const at = body.lastIndexOf(before);
    if (at < 0) return false;
    const { liveSize } = this.state;
    const live = parseLive(this.#disk.read(paths.live(this.#layout, this.id), limits.copy)?.toString("utf8") ?? "");
    const entry = live.entries.findLast((each) => (each.amended ?? each.text) === before);
    if (entry) await this.#writeCopy({ n: ++this.state.n, amends: entry.n, text: after });
    const rest = body.subarray(at + Buffer.byteLength(before));
    const newBody = Buffer.concat([body.subarray(0, at), Buffer.from(after), rest]);
    try {
      this.#file.replaceBody(newBody);
    } catch (error) {
      if (this.state.liveSize > liveSize) this.#truncateCopy(liveSize);
      throw error;
    }
    const items = parseItems(normaliseLineEnds(newBody.toString("utf8")));
    this.state.tally = redactedTally(items, await this.#parts.redact());
    this.#saveState();
    return true;
  }

  /** A new title, in the frontmatter and in the heading that shows it, unless a person changed that heading. */
  async rename(title: string): Promise<void> {
    const { frontmatter } = await this.#retryOnChange(() => this.#file.head());
    await this.set({ title });
    await this.#retryOnChange(() => this.#renameHeading(frontmatter.title, title));
  }

  #renameHeading(before: string, title: string): void {
    const body = this.#file.read().subarray(this.state.headBytes);
    const text = renderItem({ kind: "title", text: before }, "other");
    const currentHeading = [text, text.replaceAll("\n", "\r\n")]
      .map((each) => Buffer.from(each))
      .find((each) => body.subarray(0, each.length).equals(each));
    if (!currentHeading) return;
    const heading = Buffer.from(renderItem({ kind: "title", text: title }, "other"));
    this.#file.replaceBody(Buffer.concat([heading, body.subarray(currentHeading.length)]));
    this.#saveState();
  }

  /**
   * Runs `work` on session.md, which must be what the state describes. When an editor saved it meanwhile, entries that the
   * editor did not know are restored first, not taken for deleted: the session is recovered, and `work` runs again.
   */
  #retryOnChange<T>(work: () => T | Promise<T>): Promise<T> {
    return retryOnChange(this.#file.path, async (isAgain) => {
      if (isAgain) Object.assign(this.state, await recover(this.#parts, this.id));
      return work();
    });
  }

  /** Writes a line to the write-ahead copy alone. */
  #writeCopy(line: LiveLine): Promise<number> {
    return this.#write(Buffer.from(encodeLiveLine(line)));
  }

  /**
   * Appends to the write-ahead copy, then to session.md. When the latter fails, the copy is cut back. Returns the size of
   * the copy before these lines.
   */
  async #write(lines: Buffer, text: Buffer = Buffer.alloc(0)): Promise<number> {
    const base = this.state.liveSize > 0 ? undefined : Buffer.from(await this.#baseLine());
    this.#refuseTooLong((base?.length ?? 0) + lines.length, text.length);
    this.#beforeWrite();
    const copy = paths.live(this.#layout, this.id);
    if (base) this.state.liveSize = this.#disk.append(copy, base, 0o600).size;
    const before = this.state.liveSize;
    const liveSize = this.#disk.append(copy, lines).size;
    try {
      if (text.length > 0) this.#file.append(text);
    } catch (error) {
      this.#truncateCopy(before);
      throw error;
    }
    this.state.liveSize = liveSize;
    return before;
  }

  /** Files that are too long could not be read again. */
  #refuseTooLong(copyBytes: number, fileBytes: number): void {
    const { record, liveSize } = this.state;
    if (record.size + fileBytes <= limits.record && liveSize + copyBytes <= limits.copy) return;
    throw new ClewError(
      "invalid_input",
      `session ${this.id} would grow longer than ${sizeInWords(limits.record)}`,
      "end it, and start another: clew session start TITLE",
    );
  }

  /** The copy's first line: session.md as it was before, without secrets that a person may have typed into it. */
  async #baseLine(): Promise<string> {
    const redact = await this.#parts.redact();
    // All of the text, also when git has it today: a reset or a deleted branch must not lose it.
    const head = redact(this.#file.read().toString("utf8"));
    return encodeLiveLine({ n: 0, base: { session: this.id, head } });
  }

  #truncateCopy(liveSize: number): void {
    this.#disk.truncate(paths.live(this.#layout, this.id), liveSize);
    this.state.liveSize = liveSize;
  }

  #saveState(): void {
    saveState(this.#disk, paths.state(this.#layout, this.id), this.state);
  }
}
