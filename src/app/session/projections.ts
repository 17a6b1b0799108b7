import type { UnreadableSession } from "../../contract/session-row.ts";
import { IndexDamaged } from "../../session/index/damaged.ts";
import type { Tally } from "../../session/tally.ts";
import type { Redact, Redacted } from "../../contract/redacted.ts";
import type {
  IndexedSession,
  RecordText,
  SavedRecord,
  IndexBaseline,
  SessionIndex,
  SessionRecords,
  Surroundings,
} from "./ports.ts";
import { branchesName, dropCommittedCopy, lostSessions, type AwayParts } from "./away-sessions.ts";
import { readForIndex, ofRecord, toIndexedSession } from "./indexed-session.ts";
import { ProjectionPlace } from "./projection-place.ts";
import { rebuildIndex } from "./rebuild-index.ts";
import type { SearchIndex } from "../search/ports.ts";
import type { Progress, SearchProjection } from "../search/projection.ts";

interface Parts {
  records: SessionRecords;
  index: SessionIndex;
  search: SearchProjection;
  surroundings: Surroundings;
  /** One writer of the projections at a time. */
  withLock: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** One process builds the search at a time; another one waits for it, and then looks what is still missing. */
  withBuildLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** A person may have typed a secret into a session; it does not go further than that file. */
  redact: () => Promise<Redact>;
  progress: Progress;
  /** Tells a person what need not stop the command. */
  warn: (message: string) => void;
}

/**
 * Index and search follow the sessions' files. They are brought up to date at each save point and before each read;
 * what was changed from outside is noticed by the folder's time and by HEAD; whatever does not hold together is made
 * again. Nothing here is the truth, so nothing here is ever asked what a session says.
 */
export class Projections {
  readonly #parts: Parts;
  readonly #place: ProjectionPlace;
  readonly #away: AwayParts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#place = new ProjectionPlace(parts);
    this.#away = { ...parts, place: this.#place };
  }

  /** Runs a question on the index; when the index turns out damaged, makes it again and asks once more. */
  async ask<T>(question: (index: SessionIndex) => T | Promise<T>): Promise<T> {
    try {
      return await question(this.#parts.index);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await this.#place.orInMemory(() => this.rebuildIndex());
      return question(this.#parts.index);
    }
  }

  /** Warns of sessions that an answer leaves out because they cannot be read. */
  async warnOfUnreadable(): Promise<void> {
    const { length } = await this.ask((index) => index.unreadable());
    if (length === 0) return;
    const what = length === 1 ? "1 session cannot be read and is" : `${length} sessions cannot be read and are`;
    this.#parts.warn(`${what} left out: clew session list tells why`);
  }

  /** Brings the index up to the files, so that no reader lags. Costs little when nothing changed. */
  async refresh(): Promise<void> {
    await this.#place.orInMemory(() => this.#refreshNow());
  }

  async #refreshNow(): Promise<void> {
    const { index, surroundings, records } = this.#parts;
    if (!index.exists()) return this.rebuildIndex();
    const baseline = surroundings.readSeen();
    const folder = surroundings.folderTime();
    const head = surroundings.headCommit() ?? null;
    const hasMoved = head !== baseline.head;
    // A session that stands on another branch alone comes back when that branch goes.
    const branchesMoved = baseline.branches !== null && baseline.branches !== surroundings.branchesName();
    if (folder === baseline.folder && folder !== null && !hasMoved && !branchesMoved) return;
    if (hasMoved) await this.#followHead(baseline.head, head);
    const present = records.ids();
    if (branchesMoved || !(await this.ask((each) => each.hasExactly(present)))) await this.#followFolder(present);
    this.#noteSeen({ folder, head });
  }

  #noteSeen(baseline: Pick<IndexBaseline, "folder" | "head">): void {
    if (this.#place.isInMemory) return;
    this.#parts.surroundings.writeSeen({ ...baseline, branches: branchesName(this.#parts) });
  }

  /** Called when a session's file was read: what differs there from the index is taken over. */
  async noticed(record: RecordText, tally: Tally): Promise<void> {
    const id = record.frontmatter.session_id;
    if (!this.#parts.index.exists()) return;
    const { row } = ofRecord(record, tally, await this.#parts.redact());
    const indexedRow = await this.ask((index) => index.get(id));
    if (JSON.stringify(indexedRow) !== JSON.stringify(row)) await this.reread([id]);
  }

  /**
   * Called before sessions are read: the index takes in what changed in an open session since it last did. Nothing is written
   * to the session; the search follows with the next search.
   */
  async takeIn(id: string): Promise<void> {
    const { records } = this.#parts;
    if (!records.isTakenIn(id)) {
      // What is wrong with the session has nothing to do with whether the index can be written.
      let unreadable: Error | undefined;
      const ask = (): Promise<SavedRecord | undefined> =>
        records.summary(id).catch((error: Error) => void (unreadable = error));
      await this.#place.orInMemory(() => this.#saved(id, ask, true));
      if (unreadable) throw unreadable;
      return;
    }
    const glance = records.glance(id);
    if (glance && glance.status !== "active" && records.isWhole(id)) {
      await records.closeIfStill(id, records.fingerprint(id));
    }
  }

  /**
   * Index and search take over what changed in this one session. It is asked under the lock, so that no reader puts an older one
   * in the place of a newer one.
   */
  async #saved(id: string, ask: () => Promise<SavedRecord | undefined>, searchLater: boolean): Promise<void> {
    const { index, records, search } = this.#parts;
    const saved = await this.#place.withLock(async () => {
      const record = await ask();
      if (!record || !index.exists()) return record;
      const session = toIndexedSession(record, await this.#parts.redact());
      await this.#applying(() => void index.apply({ put: [session] }));
      if (!searchLater) await search.extend(session.row, record.grewFrom);
      if (!this.#place.isInMemory) records.markTakenIn(id, record.files);
      return record;
    });
    if (saved && saved.frontmatter.status !== "active" && !this.#place.isInMemory)
      await records.closeIfStill(id, saved.files);
  }

  /**
   * Index and search follow a record that was written. They never make the write a failure: an index that cannot follow is
   * thrown away, and the next reader makes it again. `searchLater` leaves the search to the next search, as is right in a
   * burst of entries.
   */
  async follow(id: string, record: SavedRecord, searchLater = false): Promise<void> {
    try {
      await this.#saved(id, async () => record, searchLater);
    } catch {
      this.#parts.index.discard();
    }
  }

  /** The index follows many records that were written at once; the search follows with the next search. */
  async followAll(records: SavedRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { index } = this.#parts;
    const redact = await this.#parts.redact();
    try {
      await this.#place.withLock(async () => {
        if (!index.exists()) return;
        await this.#applying(
          () => void index.apply({ put: records.map((record) => toIndexedSession(record, redact)) }),
        );
      });
    } catch {
      index.discard();
    }
  }

  async removed(ids: string[]): Promise<void> {
    await this.#place.withLock(async () => {
      if (!this.#parts.index.exists()) return;
      await this.#applying(() => this.#parts.index.apply({ remove: ids }));
      await this.#parts.search.remove(ids, true);
    });
  }

  /** Reads these sessions anew. Returns the ids whose entry in the index was not what the file says. */
  reread(ids: string[]): Promise<string[]> {
    return this.#place.orInMemory(() => this.#rereadNow(ids));
  }

  async #rereadNow(ids: string[]): Promise<string[]> {
    const { records } = this.#parts;
    const put: Redacted<IndexedSession>[] = [];
    const unreadable: UnreadableSession[] = [];
    const remove: string[] = [];
    for (const [done, id] of ids.entries()) {
      this.#parts.progress("reading sessions", done, ids.length);
      const session = await readForIndex(records, id, await this.#parts.redact());
      if (session === undefined) remove.push(id);
      else if ("reason" in session) unreadable.push(session);
      else put.push(session);
    }
    // Inside the lock nothing may ask for it again, so a damaged index is made anew outside.
    return this.ask((index) =>
      this.#place.withLock(async () => {
        const changed = index.apply({ put, unreadable, remove });
        const active = this.#place.isInMemory ? [] : put.filter(({ row }) => row.status === "active");
        for (const { row } of active) records.markOpen(row.session_id);
        await this.#parts.search.remove(remove, false);
        return changed;
      }),
    );
  }

  /** Compares the index with every session's file and mends what differs. Returns the ids that did. */
  async checkIndex(): Promise<{ stale: string[]; sessions: number }> {
    await this.refresh();
    const ids = this.#parts.records.ids();
    const indexedIds = await this.ask((index) => index.ids());
    const all = [...new Set([...ids, ...indexedIds])];
    const stale = await this.reread(all);
    return { stale, sessions: await this.ask((index) => index.ids().length) };
  }

  /** The whole index from the files. */
  async rebuildIndex(): Promise<void> {
    const { surroundings } = this.#parts;
    const baseline = { folder: surroundings.folderTime(), head: surroundings.headCommit() ?? null };
    await rebuildIndex({ ...this.#parts, place: this.#place });
    this.#noteSeen(baseline);
  }

  /** The search from nothing. */
  async rebuildSearch(): Promise<void> {
    await this.#parts.search.reset();
    await this.refreshSearch();
  }

  /** Brings the search up to the index. Costs little when nothing changed. */
  async refreshSearch(): Promise<SearchIndex> {
    return this.#place.orInMemory(() => this.#refreshSearchNow());
  }

  async #refreshSearchNow(): Promise<SearchIndex> {
    const { search } = this.#parts;
    const shards = await this.ask((index) => index.shards());
    const { changed, vanished } = await search.behind(shards);
    if ((changed.length > 0 || vanished) && !(await this.#catchUp(false))) {
      await this.#parts.withBuildLock(() => this.ask((index) => search.build(index, index.shards())));
      await this.#catchUp(true);
    }
    return search.open();
  }

  #catchUp(atAnyRate: boolean): Promise<boolean> {
    const { search } = this.#parts;
    return this.ask((index) => this.#place.withLock(() => search.catchUp(index, index.shards(), atAnyRate)));
  }

  /** Sessions that came or went. */
  async #followFolder(present: string[]): Promise<void> {
    const indexedIds = new Set(await this.ask((each) => each.ids()));
    const presentIds = new Set(present);
    const added = present.filter((id) => !indexedIds.has(id));
    const goneIds = [...indexedIds].filter((id) => !presentIds.has(id));
    const lost = await lostSessions(this.#away, presentIds);
    await this.reread([...new Set([...added, ...goneIds, ...lost])]);
  }

  /** HEAD moved: the sessions that git names may have changed; all may have, when git cannot tell. */
  async #followHead(from: string | null, to: string | null): Promise<void> {
    const { records, surroundings } = this.#parts;
    const changedIds = from === null || to === null ? [] : surroundings.changedSessions(from, to);
    const changed = changedIds ?? records.ids();
    await this.reread(changed);
    for (const id of changed) await dropCommittedCopy(this.#away, id);
  }

  async #applying(work: () => void): Promise<void> {
    try {
      work();
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      // The next reader makes it again; a writer must not pay for that.
      this.#parts.index.discard();
    }
  }
}
