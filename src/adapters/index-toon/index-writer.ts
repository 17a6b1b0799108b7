import type { IndexChanges } from "../../app/session/ports.ts";
import { type IndexEntry, entryOfSession, entryOfUnreadable } from "../../session/index/entry.ts";
import type { ShardInfo } from "../../session/index/manifest.ts";
import { partition } from "../../session/index/partition.ts";
import { changePieces, type ShardPiece, pieceOfEntry } from "../../session/index/pieces.ts";
import { readShard, renderShard, type Shard } from "../../session/index/shard.ts";
import type { IndexStore } from "./index-store.ts";

/** One change of the index on disk. Keeps the shards that it read. */
export class IndexWriter {
  readonly #store: IndexStore;
  readonly #perShard: number;
  readonly #opened = new Map<ShardInfo, Shard>();

  constructor(store: IndexStore, perShard: number) {
    this.#store = store;
    this.#perShard = perShard;
  }

  /** Writes the whole index from entries in ascending order, and removes the files of the old one. */
  rebuild(entries: IndexEntry[]): void {
    const pieces = entries.map(pieceOfEntry);
    this.#store.makeFolders();
    const shards = this.#writeShards(pieces);
    this.#store.replaceManifest(shards);
    this.#store.removeStrays(shards);
  }

  /** Reads and writes only the shards that the changes affect. Returns the ids of changed entries. */
  apply(changes: IndexChanges): string[] {
    const newEntries = new Map<string, IndexEntry | undefined>();
    for (const session of changes.put ?? []) newEntries.set(session.row.session_id, entryOfSession(session));
    for (const session of changes.unreadable ?? []) newEntries.set(session.session_id, entryOfUnreadable(session));
    for (const id of changes.remove ?? []) newEntries.set(id, undefined);

    const old = this.#store.query((shards) => shards);
    const { pieces, changed } = changePieces(old, newEntries, (shard) => this.#open(shard).entries);
    if (changed.length === 0) return [];
    const shards = this.#writeShards(pieces);
    this.#store.replaceManifest(shards);
    this.#store.removeReplaced(old, shards);
    return changed;
  }

  /** Cuts the pieces into shards and writes those that are not stored yet. */
  #writeShards(pieces: ShardPiece[]): ShardInfo[] {
    const entriesOf = (piece: ShardPiece): IndexEntry[] =>
      "entry" in piece ? [piece.entry] : this.#open(piece.shard).entries;
    const open = (piece: ShardPiece): ShardPiece[] => entriesOf(piece).map(pieceOfEntry);
    return partition(pieces, open, this.#perShard).map((group) => {
      const [only, ...others] = group;
      if (only && "shard" in only && others.length === 0) return only.shard;
      const { info, bytes } = renderShard(group.flatMap(entriesOf), [...this.#opened.values()]);
      this.#store.writeShard(info, bytes);
      return info;
    });
  }

  #open(shard: ShardInfo): Shard {
    let opened = this.#opened.get(shard);
    if (!opened) this.#opened.set(shard, (opened = readShard(this.#store.readShard(shard).toString())));
    return opened;
  }
}
