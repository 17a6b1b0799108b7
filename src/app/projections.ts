import { ClewError, type ErrorCode } from "../contract/errors.ts";
import type { UnreadableSession } from "../contract/session-row.ts";
import { compareIds } from "../session/index/entry.ts";
import { IndexDamaged } from "../session/index/damaged.ts";
import { isSessionId } from "../session/session-id.ts";
import { parseItems } from "../session/parse.ts";
import { Damaged } from "../session/frontmatter/frontmatter.ts";
import { derivedChanges, toInbox, toRow } from "../session/row.ts";
import { tallyOf, type Tally } from "../session/tally.ts";
import type {
  IndexedSession,
  RecordText,
  Redact,
  SavedRecord,
  SessionIndex,
  SessionRecords,
  Surroundings,
} from "./ports.ts";
import { redactFields } from "./redact-fields.ts";
import type { SearchIndex } from "./search-port.ts";
import type { Progress, SearchProjection } from "./search-projection.ts";

/** How many committed copies are looked for at once: each takes a call of git. */
const fewSessions = 20;

/** What is wrong lies in the files of one session, and keeps nobody from the others. */
export const unreadableCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "damaged_session",
  "no_permission",
  "unreadable_file",
  "leads_outside",
]);

interface Parts {
  records: SessionRecords;
  index: SessionIndex;
  search: SearchProjection;
  surroundings: Surroundings;
  /** One writer of the projections at a time. */
  exclusively: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** A person may have typed a secret into a session; it does not go further than that file. */
  redact: () => Promise<Redact>;
  progress: Progress;
}

/**
 * Index and search follow the sessions' files. They are brought up to date at each save point and before each read;
 * what was changed from outside is noticed by the folder's time and by HEAD; whatever does not hold together is made
 * again. Nothing here is the truth, so nothing here is ever asked what a session says.
 */
export class Projections {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Runs a question on the index; when the index turns out damaged, makes it again and asks once more. */
  async ask<T>(question: (index: SessionIndex) => T | Promise<T>): Promise<T> {
    try {
      return await question(this.parts.index);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await this.rebuildIndex();
      return question(this.parts.index);
    }
  }

  /** Brings the index up to the files, so that no reader lags. Costs little when nothing changed. */
  async refresh(): Promise<void> {
    const { index, surroundings, records } = this.parts;
    if (!index.exists()) return this.rebuildIndex();
    const seen = surroundings.readSeen();
    const folder = surroundings.folderTime();
    const head = surroundings.headCommit() ?? null;
    const hasMoved = head !== seen.head;
    // A session that stands on another branch alone comes back when that branch goes.
    const branchesMoved = seen.branches !== null && seen.branches !== surroundings.branchesName();
    if (folder === seen.folder && folder !== null && !hasMoved && !branchesMoved) return;
    if (hasMoved) await this.followHead(seen.head, head);
    const present = records.ids();
    if (branchesMoved || !(await this.ask((each) => each.hasExactly(present)))) await this.followFolder(present);
    surroundings.writeSeen({ folder, head, branches: this.branchesOfAway() });
  }

  /** The name of the branches while sessions stand on others than the one that is checked out. */
  private branchesOfAway(): string | null {
    const { records, surroundings } = this.parts;
    const here = new Set(records.ids());
    return records.copyIds().every((id) => here.has(id)) ? null : surroundings.branchesName();
  }

  /** After somebody looked at a session's file: what differs there from what the index says is taken over. */
  async noticed(record: RecordText, tally: Tally): Promise<void> {
    const id = record.frontmatter.session_id;
    if (!this.parts.index.exists()) return;
    const { row } = await this.withoutSecrets(toIndexed(record, tally));
    const known = await this.ask((index) => index.get(id));
    if (JSON.stringify(known) !== JSON.stringify(row)) await this.reread([id]);
  }

  /** After a save point: index and search take over what changed in this one session. */
  private async saved(id: string, saved: SavedRecord, searchLater: boolean): Promise<void> {
    const { exclusively, index, records, search } = this.parts;
    await exclusively(async () => {
      if (!index.exists()) return;
      const row = toRow(saved.frontmatter, saved.tally, saved.check);
      const session = await this.withoutSecrets({ row, inbox: toInbox(id, saved.tally) });
      await this.applying(() => void index.apply({ put: [session] }));
      if (!searchLater) await search.extend(session.row, saved.grewFrom);
    });
    if (saved.frontmatter.status !== "active") await records.closeIfSettled(id);
  }

  /**
   * As `saved`, for whoever has written already: their work is done, so a projection that cannot follow does not make it
   * a failure. The index is thrown away instead, and made again by the next reader. `searchLater` leaves the search to
   * whoever searches next, which is right in a burst of entries.
   */
  async follow(id: string, record: SavedRecord, searchLater = false): Promise<void> {
    try {
      await this.saved(id, record, searchLater);
    } catch {
      this.parts.index.discard();
    }
  }

  async removed(ids: string[]): Promise<void> {
    await this.parts.exclusively(async () => {
      if (!this.parts.index.exists()) return;
      await this.applying(() => this.parts.index.apply({ remove: ids }));
      await this.parts.search.remove(ids, true);
    });
  }

  /** Reads these sessions anew. Returns the ids whose entry in the index was not what the file says. */
  async reread(ids: string[]): Promise<string[]> {
    const { exclusively, records } = this.parts;
    const put: IndexedSession[] = [];
    const unreadable: UnreadableSession[] = [];
    const remove: string[] = [];
    for (const [done, id] of ids.entries()) {
      this.parts.progress("reading sessions", done, ids.length);
      const found = await this.look(id);
      if (found === undefined) remove.push(id);
      else if ("reason" in found) unreadable.push(found);
      else put.push(found);
    }
    // Inside the lock nothing may ask for it again, so a damaged index is made anew outside.
    return this.ask((index) =>
      exclusively(async () => {
        const changed = index.apply({ put, unreadable, remove });
        for (const { row } of put) if (row.status === "active") records.markOpen(row.session_id);
        await this.parts.search.remove(remove, false);
        return changed;
      }),
    );
  }

  /** Compares the index with every session's file and mends what differs. Returns the ids that did. */
  async checkIndex(): Promise<{ stale: string[]; sessions: number }> {
    await this.refresh();
    const ids = this.parts.records.ids();
    const known = await this.ask((index) => index.ids());
    const all = [...new Set([...ids, ...known])];
    const stale = await this.reread(all);
    return { stale, sessions: await this.ask((index) => index.ids().length) };
  }

  /** The whole index from the files. */
  async rebuildIndex(): Promise<void> {
    const { index, exclusively, records, surroundings } = this.parts;
    const seen = { folder: surroundings.folderTime(), head: surroundings.headCommit() ?? null };
    const first: string[] = [];
    const active: string[] = [];
    const present = records.ids();
    const ids = [...present, ...(await this.lostSessions(new Set(present)))]
      .filter((id) => !isSessionId(id) || records.exists(id))
      .sort(compareIds);
    const rebuild = index.rebuild(ids);
    for (const [done, id] of ids.entries()) {
      this.parts.progress("reading sessions", done, ids.length);
      const found = await this.look(id);
      if (found === undefined) continue;
      rebuild.add(found);
      if ("reason" in found) continue;
      if (first.length < fewSessions) first.push(id);
      if (found.row.status === "active") active.push(id);
    }
    await exclusively(() => rebuild.write());
    for (const id of active) records.markOpen(id);
    for (const id of first) {
      if (records.hasCopy(id)) await surroundings.dropCommittedCopy(id);
    }
    surroundings.writeSeen({ ...seen, branches: this.branchesOfAway() });
  }

  /** The search from nothing. */
  async rebuildSearch(): Promise<void> {
    await this.parts.search.reset();
    await this.refreshSearch();
  }

  /** Brings the search up to the index. Costs little when nothing changed. */
  async refreshSearch(): Promise<SearchIndex> {
    const { search, exclusively } = this.parts;
    const shards = await this.ask((index) => index.shards());
    const { changed, vanished } = await search.behind(shards);
    if (changed.length > 0 || vanished) {
      await this.ask((index) => exclusively(() => search.catchUp(index, index.shards())));
    }
    return search.open();
  }

  /** Titles, names and questions go into the index as they may be shown. */
  private async withoutSecrets(session: IndexedSession): Promise<IndexedSession> {
    const redact = await this.parts.redact();
    const inbox = session.inbox.map((item) => ({ ...item, text: redact(item.text), phase: redact(item.phase) }));
    const { channel, channels, participants, model, agent_tokens, channel_tokens } = session.row;
    const names = redactFields({ channel, channels, participants, model, agent_tokens, channel_tokens }, redact);
    return { row: { ...session.row, ...names, title: redact(session.row.title) }, inbox };
  }

  /** What the files say of one session; undefined when there is none. A folder without session.md is no session. */
  private async look(id: string): Promise<IndexedSession | UnreadableSession | undefined> {
    const { records } = this.parts;
    if (!isSessionId(id)) {
      return { session_id: id, path: records.path(id), reason: "the folder's name is no session id: [a-z0-9-]" };
    }
    if (!records.exists(id)) return undefined;
    try {
      const record = await records.read(id);
      const tally = tallyOf(parseItems(record.text.slice(record.bodyStart)));
      return await this.withoutSecrets(toIndexed(record, tally));
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      if (error.code === "unknown_session") return undefined;
      if (!unreadableCodes.has(error.code)) throw error;
      const reason = error.cause instanceof Damaged ? error.cause.message : error.message;
      return { session_id: id, path: records.path(id), reason };
    }
  }

  /** Sessions that came or went. */
  private async followFolder(present: string[]): Promise<void> {
    const known = new Set(await this.ask((each) => each.ids()));
    const here = new Set(present);
    const added = present.filter((id) => !known.has(id));
    const gone = [...known].filter((id) => !here.has(id));
    const lost = await this.lostSessions(here);
    await this.reread([...new Set([...added, ...gone, ...lost])]);
  }

  /**
   * Sessions whose folder is gone although their copy is here: not deleted by `clew`, so they come back. Unless they
   * left with a branch that holds all of them: then they are there, and those that ended need no copy any more.
   */
  private async lostSessions(here: Set<string>): Promise<string[]> {
    const { records, surroundings } = this.parts;
    const lost: string[] = [];
    for (const id of records.copyIds()) {
      if (here.has(id)) continue;
      await surroundings.dropCommittedCopy(id);
      if (records.hasCopy(id) && !surroundings.isElsewhere(id)) lost.push(id);
    }
    return lost;
  }

  /** HEAD moved: the sessions that git names may have changed; all may have, when git cannot tell. */
  private async followHead(from: string | null, to: string | null): Promise<void> {
    const { records, surroundings } = this.parts;
    const named = from === null || to === null ? [] : surroundings.changedSessions(from, to);
    const changed = named ?? records.ids();
    await this.reread(changed);
    for (const id of changed) if (records.hasCopy(id)) await surroundings.dropCommittedCopy(id);
  }

  private async applying(work: () => void): Promise<void> {
    try {
      work();
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      // Whoever reads next makes it again; a writer must not pay for that.
      this.parts.index.discard();
    }
  }
}

/** As a save point would leave it, also when the file was committed between two of them. */
function toIndexed(record: RecordText, tally: Tally): IndexedSession {
  const frontmatter = { ...record.frontmatter, ...derivedChanges(record.frontmatter, tally) };
  return { row: toRow(frontmatter, tally, record.check), inbox: toInbox(frontmatter.session_id, tally) };
}
