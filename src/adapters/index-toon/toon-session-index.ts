import type { IndexChanges, IndexRebuild, SessionIndex } from "../../app/session/ports.ts";
import type { StatsGroup } from "../../contract/api/session-list.ts";
import {
  type GroupBy,
  type HeldGroupBy,
  heldGroupings,
  type IndexedItem,
  type RowFilter,
  type SessionRow,
  type UnreadableSession,
} from "../../contract/session-row.ts";
import { writeCell } from "../../session/index/cell.ts";
import { compareIds, idOfLine, readInboxItem, readUnreadable } from "../../session/index/entry.ts";
import { matches, needleOf } from "../../session/index/filter.ts";
import { IdSetCheck } from "../../session/index/id-set.ts";
import { instantMs } from "../../session/index/instant.ts";
import type { ShardInfo } from "../../session/index/manifest.ts";
import { NewestRows } from "../../session/index/newest.ts";
import { maxPerShard } from "../../session/index/partition.ts";
import { readRow, startedOf } from "../../session/index/row-line.ts";
import { readHead, readTotals } from "../../session/index/shard.ts";
import { rowIds, rowLines } from "../../session/index/shard-lines.ts";
import { Totals } from "../../session/index/totals.ts";
import { type FileOps, nodeFiles } from "./file-ops.ts";
import { PlannedRebuild } from "./index-rebuild.ts";
import { IndexStore } from "./index-store.ts";
import { IndexWriter } from "./index-writer.ts";
import { memoryOver } from "./memory-files.ts";

/** The index as TOON files in one folder: `manifest.toon`, and a file per shard in `shards/`. */
export class ToonSessionIndex implements SessionIndex {
  readonly #folder: string;
  readonly #files: FileOps;
  readonly #perShard: number;
  #store: IndexStore;

  /** An index must always be used with the same `perShard`; only tests set another. */
  constructor(folder: string, files: FileOps = nodeFiles, perShard: number = maxPerShard) {
    this.#folder = folder;
    this.#files = files;
    this.#store = new IndexStore(folder, files);
    this.#perShard = perShard;
  }

  exists(): boolean {
    return this.#store.exists();
  }

  newest(filter: RowFilter, limit: number): SessionRow[] {
    if (limit < 1) return [];
    const needle = needleOf(filter);
    const sinceMs = filter.since === undefined ? -Infinity : instantMs(filter.since);
    const untilMs = filter.after?.startedMs ?? Infinity;
    return this.#store.query((shards) => {
      const newest = new NewestRows(limit);
      for (const { shard, newestMs } of byNewest(shards)) {
        if (newestMs < sinceMs || !newest.hasRoomFor(newestMs)) break;
        // The newest rows are mostly last. A row without a chance is not parsed to the end of its line.
        for (const line of [...rowLines(this.#store.readShard(shard), shard.headBytes, needle)].toReversed()) {
          const startedMs = instantMs(startedOf(line));
          if (startedMs > untilMs || !newest.hasRoomFor(startedMs)) continue;
          const row = readRow(line);
          if (matches(row, filter)) newest.add(row);
        }
      }
      return newest.rows();
    });
  }

  get(sessionId: string): SessionRow | undefined {
    const start = `\n  ${writeCell(sessionId)},`;
    return this.#store.query((shards) => {
      const shard = shards.find(({ last }) => last >= sessionId);
      if (!shard || shard.first > sessionId) return undefined;
      for (const line of rowLines(this.#store.readShard(shard), shard.headBytes, start)) return readRow(line);
      return undefined;
    });
  }

  ids(): string[] {
    return this.#store.query((shards) => {
      const ids: string[] = [];
      for (const shard of shards) {
        for (const id of this.#idsOf(shard)) ids.push(id);
      }
      return ids;
    });
  }

  hasExactly(ids: Iterable<string>): boolean {
    const expectedIds = new IdSetCheck();
    for (const id of ids) expectedIds.add(id);
    return this.#store.query((shards) => {
      const storedIds = new IdSetCheck();
      for (const shard of shards) storedIds.addSet(shard.idsCheck);
      return storedIds.fingerprint() === expectedIds.fingerprint();
    });
  }

  unreadable(): UnreadableSession[] {
    return this.#headLines("unreadable").map(readUnreadable);
  }

  inbox(): IndexedItem[] {
    return this.#headLines("inbox").map(readInboxItem);
  }

  #headLines(part: "unreadable" | "inbox"): string[] {
    return this.#store.query((shards) =>
      shards.filter((shard) => shard[part] > 0).flatMap((shard) => readHead(this.#store.readHead(shard))[part]),
    );
  }

  totals(by: GroupBy): StatsGroup[] {
    return this.#store.query((shards) => {
      if (by === "merge") return Totals.ofMerges([...this.#rows(shards)]).stats();
      const totals = new Totals(by);
      if (isHeld(by)) {
        for (const shard of shards) {
          for (const line of readTotals(this.#store.readHead(shard), by)) totals.addLine(line);
        }
      } else for (const row of this.#rows(shards)) totals.add(row, 1);
      return totals.stats();
    });
  }

  *#rows(shards: readonly ShardInfo[]): Generator<SessionRow> {
    for (const shard of shards) {
      for (const line of rowLines(this.#store.readShard(shard), shard.headBytes)) yield readRow(line);
    }
  }

  apply(changes: IndexChanges): string[] {
    return new IndexWriter(this.#store, this.#perShard).apply(changes);
  }

  rebuild(expected: string[]): IndexRebuild {
    return new PlannedRebuild(this.#store, this.#perShard, expected);
  }

  keepInMemory(): void {
    this.#store = new IndexStore(this.#folder, memoryOver(this.#files));
  }

  discard(): void {
    this.#store.discard();
  }

  shards(): { name: string; check: string }[] {
    return this.#store.query((shards) => shards.map(({ first, check }) => ({ name: first, check })));
  }

  /** Empty when a writer has cut the sessions into other shards since `shards` returned the name. */
  shardRows(name: string): SessionRow[] {
    return this.#store.query((shards) => {
      const shard = shards.find(({ first }) => first === name);
      return shard ? [...rowLines(this.#store.readShard(shard), shard.headBytes)].map(readRow) : [];
    });
  }

  #idsOf(shard: ShardInfo): string[] {
    const ids = rowIds(this.#store.readShard(shard), shard.headBytes);
    if (shard.unreadable === 0) return ids;
    const unreadable = readHead(this.#store.readHead(shard)).unreadable.map(idOfLine);
    return [...ids, ...unreadable].sort(compareIds);
  }
}

function byNewest(shards: ShardInfo[]): { shard: ShardInfo; newestMs: number }[] {
  return shards
    .flatMap((shard) => (shard.newest === null ? [] : [{ shard, newestMs: instantMs(shard.newest) }]))
    .sort((a, b) => b.newestMs - a.newestMs);
}

/** Whether the index holds the totals of a grouping; others are added up from the rows. */
function isHeld(by: GroupBy): by is HeldGroupBy {
  return heldGroupings.some((each) => each === by);
}
