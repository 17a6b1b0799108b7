import type { BulkRecord } from "../../app/import/ports.ts";
import type { SavedRecord } from "../../app/session/ports.ts";
import type { Frontmatter, LogEntry, SubagentEntry, ToolEntry } from "../../contract/session.ts";
import { bodyNameOf } from "../../session/body-name.ts";
import { closeTail } from "../../session/close-tail.ts";
import { renderPlain, setValues, type FrontmatterBlock } from "../../session/frontmatter/frontmatter.ts";
import type { Item } from "../../session/items.ts";
import { writeEntry, type BodyEnd } from "../../session/write-entry.ts";
import { parseItems } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { callName, encodedResultPieces, encodedResultStart } from "../../session/results.ts";
import { derivedChanges } from "../../session/row.ts";
import { tallyOf } from "../../session/tally.ts";
import { renderToolCall } from "../../session/tool-call.ts";
import { linkedPath, paths, type Layout } from "../layout.ts";
import { tailOf } from "./describe-record.ts";
import { ByteWriter } from "./byte-writer.ts";
import { dropCutOffResults, forgetNote, noteResults } from "./cut-off-results.ts";
import type { Disk, FileStamp, OpenFile } from "./disk.ts";
import { limits } from "./limits.ts";
import { longCrc32 } from "./long-crc32.ts";

/** What stands there already. */
export interface BulkBase {
  block: FrontmatterBlock;
  frontmatter: Frontmatter;
  /** With `\n` line ends. */
  body: string;
  items: Item[];
  /** Of a session that is there: which file was read. */
  stamp?: FileStamp;
}

interface Parts {
  disk: Disk;
  layout: Layout;
  boot: string;
}

/** So many bytes of results are held at once. */
const flushBytes = 1 << 20;

/** One session that is written in bulk: entries are rendered as they come, and the file is written once. */
export class FileBulkRecord implements BulkRecord {
  readonly id: string;
  readonly #parts: Parts;
  readonly #base: BulkBase;
  readonly #end: BodyEnd;
  /** The body that was there, and what was added. */
  #body: string;
  readonly #added = new ByteWriter();
  #results: OpenFile | undefined;
  readonly #newResults = new ByteWriter();
  #resultsBytes: number;
  /** session.md is being replaced. */
  #isFinished = false;

  constructor(parts: Parts, id: string, base: BulkBase) {
    const { frontmatter, items, body } = base;
    this.id = id;
    this.#parts = parts;
    this.#base = base;
    this.#body = body + closeTail(body);
    this.#end = {
      tally: tallyOf(items),
      tail: tailOf(items),
      channel: frontmatter.channel ?? null,
      participants: frontmatter.participants ?? [],
    };
    this.#resultsBytes = parts.disk.stamp(paths.results(parts.layout, id))?.size ?? 0;
  }

  append(entries: LogEntry[], at: string): void {
    for (const entry of entries) {
      const last = this.#write(entry, at);
      if (entry.kind === "tool" && entry.result_full !== undefined) {
        this.#addResult(nameIn(last), entry.result_full);
      }
    }
  }

  appendEncoded(call: ToolEntry, json: Uint8Array, at: string): void {
    const start = encodedResultStart(nameIn(this.#write(call, at)));
    if (!this.#hasRoom()) return;
    this.#newResults.write(`${start}"`);
    this.#newResults.writeBytes(json);
    this.#newResults.write('"}\n');
    this.#flushIfLong();
  }

  /** Returns the text that was written last. */
  #write(entry: LogEntry, at: string): string {
    let last = "";
    for (const text of writeEntry(entry, this.#end, { at })) this.#added.write((last = text));
    return last;
  }

  complete(before: ToolEntry, after: ToolEntry): boolean {
    const bullet = renderToolCall(before);
    const at = this.#body.lastIndexOf(`\n${bullet}`);
    if (at < 0) return false;
    this.#body = `${this.#body.slice(0, at + 1)}${renderToolCall(after)}${this.#body.slice(at + 1 + bullet.length)}`;
    if (after.result_full !== undefined) this.#addResult(callName(after), after.result_full);
    return true;
  }

  updateLink({ session, tokens }: Pick<SubagentEntry, "session" | "tokens">): boolean {
    const before = parseItems(this.#body).findLast((item) => item.kind === "subagent" && item.session === session);
    if (before?.kind !== "subagent" || tokens === undefined || before.tokens === tokens) return false;
    const callout = renderItem(before, "other");
    const at = this.#body.lastIndexOf(callout);
    if (at < 0) return false;
    const rest = this.#body.slice(at + callout.length);
    this.#body = `${this.#body.slice(0, at)}${renderItem({ ...before, tokens }, "other")}${rest}`;
    this.#end.tally = tallyOf(parseItems(this.#body));
    return true;
  }

  keep(text: string): string {
    const { disk, layout } = this.#parts;
    const { createHash } = process.getBuiltinModule("node:crypto");
    const file = paths.longText(layout, this.id, createHash("sha256").update(text).digest("hex"));
    disk.makeFolder(paths.transcripts(layout, this.id));
    if (!disk.stamp(file)) disk.replace(file, Buffer.from(text));
    return linkedPath(layout, file);
  }

  finish(changes: Record<string, unknown>): { saved: SavedRecord; written: Promise<void> } {
    const { disk, layout, boot } = this.#parts;
    const { block, stamp } = this.#base;
    const pieces = [Buffer.from(this.#body), ...this.#added.take()];
    const before = { ...this.#base.frontmatter, ...changes } as Frontmatter;
    const derived = derivedChanges(before, this.#end.tally);
    const head = Buffer.from(renderPlain(setValues(block, { ...changes, ...derived })));
    const file = paths.record(layout, this.id);
    this.#flushResults();
    const { stamp: newStamp, written } = disk.replaceLater(file, [head, ...pieces], stamp);
    this.#isFinished = true;
    const results = this.#syncResults();
    const check = pieces.reduce((crc, piece) => longCrc32(piece, crc), 0);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    const saved: SavedRecord = {
      frontmatter: { ...before, ...derived },
      tally: this.#end.tally,
      check: bodyNameOf(check, bytes),
      grewFrom: null,
      files: `${boot} ${newStamp.ino}-${newStamp.size}-${newStamp.mtimeNs} 0`,
      hasCounted: false,
    };
    return { saved, written: Promise.all([results, written]).then(() => this.#forgetNote()) };
  }

  discard(): void {
    const { disk, layout } = this.#parts;
    // What became of session.md, the next one to open it sees.
    if (this.#isFinished) return;
    this.#results?.close();
    if (this.#base.stamp) return dropCutOffResults(disk, layout, this.id, this.#base.frontmatter);
    disk.remove(paths.transcripts(layout, this.id));
    disk.remove(paths.session(layout, this.id));
  }

  #addResult(call: string, result: string): void {
    if (!this.#hasRoom()) return;
    for (const piece of encodedResultPieces(call, result)) this.#newResults.write(piece);
    this.#flushIfLong();
  }

  #hasRoom(): boolean {
    return this.#resultsBytes + this.#newResults.length <= limits.results;
  }

  #flushIfLong(): void {
    if (this.#newResults.length > flushBytes) this.#flushResults();
  }

  #flushResults(): void {
    if (this.#newResults.length === 0) return;
    const { disk, layout } = this.#parts;
    if (!this.#results) {
      disk.makeFolder(paths.transcriptsFolder(layout));
      disk.makeNewFolder(paths.transcripts(layout, this.id), true);
      if (this.#base.stamp) noteResults(disk, layout, this.id, this.#resultsBytes, this.#base.frontmatter);
      this.#results = disk.open(paths.results(layout, this.id), 0o600);
    }
    for (const bytes of this.#newResults.take()) {
      this.#results.append(bytes);
      this.#resultsBytes += bytes.length;
    }
  }

  #forgetNote(): void {
    if (this.#base.stamp && this.#results) forgetNote(this.#parts.disk, this.#parts.layout, this.id);
  }

  async #syncResults(): Promise<void> {
    if (!this.#results) return;
    const { disk, layout } = this.#parts;
    await this.#results.sync();
    this.#results.close();
    await disk.syncFolder(paths.transcripts(layout, this.id));
  }
}

/** The name of a call, from the bullet that was just rendered: without the line above a list. */
function nameIn(rendered: string): string {
  return rendered.slice(rendered.indexOf("- `")).trimEnd();
}
