import { join } from "node:path";
import { checksum } from "../../session/index/checksum.ts";
import { IndexDamaged } from "../../session/index/damaged.ts";
import { readManifest, renderManifest, type ShardInfo } from "../../session/index/manifest.ts";
import type { FileOps } from "./file-ops.ts";
import { longCrc32 } from "../files/long-crc32.ts";
import { indexPaths } from "../layout/session-paths.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";

/** How often a query is repeated because a writer was faster. Once or twice is usual. */
const maxAttempts = 20;

/**
 * The files of the index. A shard's file name has its checksum: a writer never changes a file that the manifest names, and
 * renaming the manifest changes everything at once. So a crash leaves the old index or the new one, and readers need no
 * lock.
 */
export class IndexStore {
  readonly #manifest: string;
  readonly #shards: string;
  readonly #files: FileOps;
  /** The manifest read or written last, so that an unchanged one is not parsed again. */
  #cached: { manifest: Buffer; shards: ShardInfo[] } | undefined;
  #buffer = Buffer.alloc(0);

  constructor(folder: string, files: FileOps) {
    this.#manifest = indexPaths.manifest(folder);
    this.#shards = indexPaths.shards(folder);
    this.#files = files;
  }

  exists(): boolean {
    return this.#files.exists(this.#manifest);
  }

  /** Answers from one state of the index. When a writer removed shards meanwhile, answers again from the new state. */
  query<T>(answer: (shards: ShardInfo[]) => T): T {
    for (let attempt = 1; ; attempt += 1) {
      const manifest = this.#readManifest();
      try {
        return answer(this.#shardsIn(manifest));
      } catch (error) {
        const final = !(error instanceof IndexDamaged) || attempt === maxAttempts;
        if (final || this.#readManifest().equals(manifest)) throw error;
      }
    }
  }

  /** The bytes are valid until the next read: all shards are read into the same buffer. */
  readShard(shard: ShardInfo): Buffer {
    return this.#readStart(shard, shard.bytes, shard.check);
  }

  readHead(shard: ShardInfo): string {
    return this.#readStart(shard, shard.headBytes, shard.headCheck).toString();
  }

  writeShard(shard: ShardInfo, bytes: Buffer): void {
    missingAsDamage("the folder of the shards", () => this.#replace(this.#pathOf(shard), bytes));
  }

  makeFolders(): void {
    this.#files.makeFolder(this.#shards);
  }

  /** Readers see the new shards from now on; their files must have been written before. */
  replaceManifest(shards: ShardInfo[]): void {
    const manifest = renderManifest(shards);
    this.#replace(this.#manifest, manifest);
    this.#cached = { manifest, shards };
  }

  discard(): void {
    this.#files.remove(this.#manifest);
  }

  /** Removes the files of the shards in `old` that are no longer in `current`. */
  removeReplaced(old: ShardInfo[], current: ShardInfo[]): void {
    const [before, now] = [new Set(old), new Set(current)];
    const written = new Set(current.filter((shard) => !before.has(shard)).map(fileName));
    for (const shard of old) {
      if (!now.has(shard) && !written.has(fileName(shard))) this.#files.remove(this.#pathOf(shard));
    }
  }

  /** Removes files that interrupted writers left. */
  removeStrays(current: ShardInfo[]): void {
    const names = new Set(current.map(fileName));
    for (const name of this.#files.list(this.#shards)) {
      if (!names.has(name)) this.#files.remove(join(this.#shards, name));
    }
  }

  #readManifest(): Buffer {
    return missingAsDamage("the manifest", () => this.#files.read(this.#manifest));
  }

  #shardsIn(manifest: Buffer): ShardInfo[] {
    if (!this.#cached?.manifest.equals(manifest))
      this.#cached = { manifest, shards: readManifest(manifest, longCrc32) };
    return this.#cached.shards;
  }

  #readStart(shard: ShardInfo, length: number, check: string): Buffer {
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(2 * length);
    const bytes = this.#buffer.subarray(0, length);
    const read = missingAsDamage(`shard ${shard.first}`, () => this.#files.readInto(this.#pathOf(shard), bytes));
    if (read !== length || checksum(bytes, longCrc32) !== check)
      throw new IndexDamaged(`shard ${shard.first} has other content`);
    return bytes;
  }

  /** Not synced: a file that a power cut tore fails its checksum, and the index is built again. */
  #replace(path: string, bytes: Buffer): void {
    const aside = indexPaths.aside(path);
    this.#files.write(aside, bytes);
    this.#files.rename(aside, path);
  }

  #pathOf(shard: ShardInfo): string {
    return join(this.#shards, fileName(shard));
  }
}

function fileName({ first, check }: ShardInfo): string {
  return indexPaths.shardName(first, check);
}

function missingAsDamage<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableFile) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new IndexDamaged(`${what} is missing, or no file`, { cause: error });
  }
}
