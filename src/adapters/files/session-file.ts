import type { Frontmatter } from "../../contract/session.ts";
import { readBlock, type FrontmatterBlock } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { hasRoom, updateHead, usualLargeBytes, type HeadPlace } from "../../session/frontmatter/update.ts";
import { FileChanged, type Disk } from "./disk.ts";
import { isMissing } from "./failure.ts";
import { longCrc32 } from "./long-crc32.ts";
import { paths, type Layout } from "../layout.ts";
import type { RecordState } from "./record-state.ts";
import { removeTempFiles, type RecoverParts } from "./recover.ts";

/**
 * session.md as the state describes it, under the session's lock. Every method throws `FileChanged` when another program
 * has changed the file, and updates the state to what it wrote.
 */
export class SessionFile {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #id: string;
  readonly #state: RecordState;
  readonly #largeBytes: number;
  readonly path: string;

  constructor({ disk, layout, largeBytes }: RecoverParts, id: string, state: RecordState) {
    this.#disk = disk;
    this.#layout = layout;
    this.#id = id;
    this.#state = state;
    this.#largeBytes = largeBytes ?? usualLargeBytes;
    this.path = paths.record(layout, id);
  }

  read(): Buffer {
    const { record } = this.#state;
    return this.#disk.readRange(this.path, 0, record.size, record);
  }

  async head(): Promise<{ block: FrontmatterBlock; frontmatter: Frontmatter }> {
    const { headBytes, record } = this.#state;
    const block = readBlock(this.#disk.readRange(this.path, 0, headBytes, record).toString("utf8"));
    return { block, frontmatter: await readFrontmatter(block) };
  }

  append(bytes: Buffer): void {
    this.#state.record = this.#disk.append(this.path, bytes, undefined, this.#state.record);
    this.#state.check = longCrc32(bytes, this.#state.check);
  }

  /** Replaces the file, with the same frontmatter. */
  replaceBody(body: Buffer): void {
    this.#replace([this.read().subarray(0, this.#state.headBytes), body]);
    this.#state.check = longCrc32(body);
    this.#state.savedCheck = null;
  }

  /** Whether the frontmatter has room for updates in place, though it should not. */
  hasFiller({ padding }: FrontmatterBlock, isActive: boolean): boolean {
    return padding !== "" && !hasRoom(this.#place(isActive));
  }

  /** Overwrites the frontmatter of a large, active session in place. Any other file is replaced, and so synced. */
  writeHead(block: FrontmatterBlock, isActive: boolean): void {
    const { text, isInPlace } = updateHead(block, this.#place(isActive));
    const head = Buffer.from(text);
    if (isInPlace) {
      this.sync();
      this.#state.record = this.#disk.overwrite(this.path, head, this.#state.record);
      return;
    }
    this.#replace([head, this.read().subarray(this.#state.headBytes)]);
    this.#state.headBytes = head.length;
  }

  /** The file may be missing for a moment while an editor saves by renaming. */
  sync(): void {
    try {
      this.#disk.syncNow(this.path);
    } catch (error) {
      if (isMissing(error)) throw new FileChanged(this.path);
      throw error;
    }
  }

  #replace(bytes: Buffer[]): void {
    removeTempFiles(this.#disk, this.#layout, this.#id);
    this.#state.record = this.#disk.replace(this.path, bytes, undefined, this.#state.record);
  }

  #place(isActive: boolean): HeadPlace {
    const { headBytes, record } = this.#state;
    return { headBytes, fileBytes: record.size, largeBytes: this.#largeBytes, isActive };
  }
}
