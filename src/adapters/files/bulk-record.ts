import type { BulkRecord } from "../../app/import/ports.ts";
import type { SavedRecord } from "../../app/session/ports.ts";
import type { Frontmatter, LogEntry, ToolEntry } from "../../contract/session.ts";
import { bodyNameOf } from "../../session/body-name.ts";
import { closeTail } from "../../session/close-tail.ts";
import { renderPlain, setValues, type FrontmatterBlock } from "../../session/frontmatter/frontmatter.ts";
import type { Item } from "../../session/items.ts";
import { writeEntry, type BodyEnd } from "../../session/next-items.ts";
import { encodeResult } from "../../session/results.ts";
import { derivedChanges } from "../../session/row.ts";
import { tallyOf } from "../../session/tally.ts";
import { renderToolCall } from "../../session/tool-call.ts";
import { linkedPath, paths, type Layout } from "../layout.ts";
import { tailOf } from "./describe-record.ts";
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

/** So much text is put together before it becomes bytes. */
const pieceChars = 1 << 20;

/** One session that is written in bulk: entries are rendered as they come, and the file is written once. */
export class FileBulkRecord implements BulkRecord {
  readonly id: string;
  readonly #parts: Parts;
  readonly #base: BulkBase;
  readonly #end: BodyEnd;
  /** The body that was there; behind it what was added, as bytes, and what was rendered since. */
  #body: string;
  #pieces: Buffer[] = [];
  #text = "";
  #results: OpenFile | undefined;
  #resultsText = "";
  #resultsBytes: number;

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
      for (const text of writeEntry(entry, this.#end, { at })) this.#text += text;
      if (entry.kind === "tool" && entry.result_full !== undefined) this.#addResult(entry as WithResult);
    }
    if (this.#text.length > pieceChars) this.#closePiece();
  }

  complete(before: ToolEntry, after: ToolEntry): boolean {
    const bullet = renderToolCall(before);
    const at = this.#body.lastIndexOf(`\n${bullet}`);
    if (at < 0) return false;
    this.#body = `${this.#body.slice(0, at + 1)}${renderToolCall(after)}${this.#body.slice(at + 1 + bullet.length)}`;
    if (after.result_full !== undefined) this.#addResult(after as WithResult);
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

  finish(changes: Partial<Frontmatter>): { saved: SavedRecord; written: Promise<void> } {
    const { disk, layout, boot } = this.#parts;
    const { block, stamp } = this.#base;
    this.#closePiece();
    const pieces = [Buffer.from(this.#body), ...this.#pieces];
    this.#pieces = [];
    const before = { ...this.#base.frontmatter, ...changes };
    const derived = derivedChanges(before, this.#end.tally);
    const head = Buffer.from(renderPlain(setValues(block, { ...changes, ...derived })));
    const file = paths.record(layout, this.id);
    const results = this.#writeResults();
    const { stamp: newStamp, written } = disk.replaceLater(file, [head, ...pieces], stamp);
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
    return { saved, written: Promise.all([results, written]).then(() => undefined) };
  }

  discard(): void {
    const { disk, layout } = this.#parts;
    this.#results?.close();
    if (this.#base.stamp) return;
    disk.remove(paths.transcripts(layout, this.id));
    disk.remove(paths.session(layout, this.id));
  }

  #closePiece(): void {
    if (this.#text !== "") this.#pieces.push(Buffer.from(this.#text));
    this.#text = "";
  }

  #addResult(entry: WithResult): void {
    if (this.#resultsBytes + this.#resultsText.length > limits.results) return;
    this.#resultsText += encodeResult(entry);
    if (this.#resultsText.length > pieceChars) this.#flushResults();
  }

  #flushResults(): void {
    if (this.#resultsText === "") return;
    const { disk, layout } = this.#parts;
    if (!this.#results) {
      disk.makeFolder(paths.transcriptsFolder(layout));
      disk.makeNewFolder(paths.transcripts(layout, this.id), true);
      this.#results = disk.open(paths.results(layout, this.id), 0o600);
    }
    const bytes = Buffer.from(this.#resultsText);
    this.#resultsText = "";
    this.#results.append(bytes);
    this.#resultsBytes += bytes.length;
  }

  async #writeResults(): Promise<void> {
    this.#flushResults();
    if (!this.#results) return;
    const { disk, layout } = this.#parts;
    await this.#results.sync();
    this.#results.close();
    await disk.syncFolder(paths.transcripts(layout, this.id));
  }
}

type WithResult = ToolEntry & { result_full: string };
