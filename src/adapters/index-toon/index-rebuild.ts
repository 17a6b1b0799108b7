import type { IndexRebuild, IndexedSession } from "../../app/session/ports.ts";
import type { UnreadableSession } from "../../contract/session-row.ts";
import { compareIds, type IndexEntry, entryOfSession, entryOfUnreadable } from "../../session/index/entry.ts";
import { partition } from "../../session/index/partition.ts";
import { readShard, renderShard } from "../../session/index/shard.ts";
import type { IndexStore } from "./index-store.ts";
import { IndexWriter } from "./index-writer.ts";

/** A shard of the new index: rendered as soon as all its entries were added, so that only its bytes are kept. */
interface PlannedShard {
  first: string;
  last: string;
  count: number;
  entries: IndexEntry[];
  rendered: ReturnType<typeof renderShard> | undefined;
}

/**
 * The ids alone decide how the sessions are cut into shards, so that this is known before they are read. When other sessions
 * are added than were expected, all are cut again at the end.
 */
export class PlannedRebuild implements IndexRebuild {
  readonly #store: IndexStore;
  readonly #perShard: number;
  readonly #plan: PlannedShard[];
  readonly #unexpected: IndexEntry[] = [];

  constructor(store: IndexStore, perShard: number, expected: string[]) {
    this.#store = store;
    this.#perShard = perShard;
    const spans = expected.toSorted(compareIds).map((id) => ({ first: id, last: id, count: 1 }));
    this.#plan = partition(spans, (span) => [span], perShard).map((group) => ({
      first: group[0]?.first ?? "",
      last: group.at(-1)?.last ?? "",
      count: group.length,
      entries: [],
      rendered: undefined,
    }));
  }

  add(session: IndexedSession | UnreadableSession): void {
    const entry = "reason" in session ? entryOfUnreadable(session) : entryOfSession(session);
    const shard = this.#plan.find(({ last }) => last >= entry.id);
    if (!shard || shard.first > entry.id || shard.rendered) return void this.#unexpected.push(entry);
    shard.entries.push(entry);
    if (shard.entries.length < shard.count) return;
    shard.rendered = renderShard(shard.entries.toSorted(byId), []);
    shard.entries = [];
  }

  write(): void {
    const rendered = this.#plan.flatMap((shard) => shard.rendered ?? []);
    if (rendered.length < this.#plan.length || this.#unexpected.length > 0) {
      const entries = [...this.#plan.flatMap(entriesOf), ...this.#unexpected];
      new IndexWriter(this.#store, this.#perShard).rebuild(entries.sort(byId));
      return;
    }
    this.#store.makeFolders();
    for (const { info, bytes } of rendered) this.#store.writeShard(info, bytes);
    const shards = rendered.map(({ info }) => info);
    this.#store.replaceManifest(shards);
    this.#store.removeStrays(shards);
  }
}

function entriesOf({ entries, rendered }: PlannedShard): IndexEntry[] {
  return rendered ? readShard(rendered.bytes.toString()).entries : entries;
}

function byId(a: IndexEntry, b: IndexEntry): number {
  return compareIds(a.id, b.id);
}
