import { ClewError } from "../../contract/errors.ts";
import type { ImportRequest, ImportResult } from "../../contract/api/import.ts";
import { ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import type { SubagentEntry } from "../../contract/session.ts";
import { quickPrices, type PriceTable } from "../../engine/prices.ts";
import { promptTitle } from "../../session/title.ts";
import { instantOf } from "./instant.ts";
import { sessionId } from "../../session/session-id.ts";
import { isAscii } from "../../session/text.ts";
import type { Progress } from "../search/projection.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import type { SessionParts } from "../session/parts.ts";
import type { SavedRecord } from "../session/ports.ts";
import { groupFiles, withParents, type TranscriptGroup } from "./groups.ts";
import {
  foreign,
  type BulkRecords,
  type ImportMemory,
  type OwnedSession,
  type TranscriptFile,
  type Transcripts,
} from "./ports.ts";
import { TranscriptSource } from "./source.ts";
import { agentOf, keyOf, writeTranscript, type WriteParts, type WrittenTranscript } from "./write-transcript.ts";

export interface ImportParts {
  sessions: SessionParts;
  transcripts: Transcripts;
  bulk: BulkRecords;
  /** Read anew for each import. */
  memory: () => ImportMemory;
  prices: () => Promise<PriceTable>;
  progress: Progress;
  /** One import at a time. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
}

/** So many sessions are synced at once, and then counted as imported. */
const batchSize = 32;
const progressBytes = 4e6;
const mb = 1e6;

/** What becomes of a transcript. */
interface Place {
  id: string;
  isNew: boolean;
  link?: SubagentEntry;
}

/** One import, from the first transcript that is news to the last. */
export class ImportRun {
  readonly #parts: ImportParts;
  readonly #request: ImportRequest;
  readonly #memory: ImportMemory;
  readonly #result: ImportResult;
  #owned = new Map<string, OwnedSession | null>();
  #write: WriteParts | undefined;
  /** Written, and not yet known to be on disk. */
  #pending: Promise<void>[] = [];
  #saved: SavedRecord[] = [];
  #noted: (() => void)[] = [];
  #doneBytes = 0;
  readonly #unknown = new Map<string, { path: string; lines: number }>();

  constructor(parts: ImportParts, request: ImportRequest, memory: ImportMemory, result: ImportResult) {
    this.#parts = parts;
    this.#request = request;
    this.#memory = memory;
    this.#result = result;
  }

  async run(listed: TranscriptFile[], isNews: (file: TranscriptFile) => boolean): Promise<ImportResult> {
    const { sessions, transcripts, bulk, progress } = this.#parts;
    // Runs and talks that were cut off tell only now which engine sessions were theirs.
    if (!this.#request.dry_run) {
      await bringUpToDate(sessions);
      await sessions.projections.refresh();
      sessions.ground.prepare();
    }
    this.#owned = await bulk.engineSessions();
    const groups = groupFiles(withParents(transcripts, listed, isNews)).filter(
      ({ main, subagents }) => isNews(main) || subagents.some(isNews),
    );
    const filesOf = ({ main, subagents }: TranscriptGroup): TranscriptFile[] => [main, ...subagents];
    const totalBytes = groups.flatMap(filesOf).reduce((sum, { bytes }) => sum + bytes, 0);
    const redact = await sessions.redact();
    let shownBytes = 0;
    this.#write = {
      memory: this.#memory,
      prices: quickPrices(await this.#parts.prices()),
      redact,
      channel: redact(sessions.settings.channel),
      onRead: (bytes) => {
        if (this.#doneBytes + bytes - shownBytes < progressBytes) return;
        shownBytes = this.#doneBytes + bytes;
        progress("reading transcripts, MB", Math.round(shownBytes / mb), Math.round(totalBytes / mb));
      },
    };
    for (const group of groups) {
      // Those that were known and are in a group with news are counted by what becomes of them now.
      this.#result.unchanged -= filesOf(group).filter(
        (file) => !isNews(file) && this.#memory.get(file.path)?.session,
      ).length;
      await this.#importGroup(group);
      this.#doneBytes += filesOf(group).reduce((sum, { bytes }) => sum + bytes, 0);
      if (this.#pending.length >= batchSize) await this.#settle();
    }
    await this.#settle();
    for (const [kind, { path, lines }] of this.#unknown) {
      const reason = `${lines} ${lines === 1 ? "line" : "lines"} of a kind that is not known, ${kind}, left out (first in this file)`;
      this.#result.skipped.push({ path, reason });
    }
    return this.#result;
  }

  async #importGroup(group: TranscriptGroup): Promise<void> {
    try {
      await this.#importFile(group.main, group.subagents, undefined);
    } catch (error) {
      this.#skip(group.main, error);
    }
  }

  /** One transcript that cannot be taken in keeps no other from it; where nothing can be written, all stops. */
  #skip({ path }: TranscriptFile, error: unknown): void {
    if (error instanceof ClewError && ["disk_full", "locked", "no_permission"].includes(error.code)) throw error;
    this.#result.skipped.push({ path, reason: error instanceof Error ? error.message : String(error) });
  }

  /** Undefined when the transcript becomes no session. */
  async #importFile(
    file: TranscriptFile,
    subagents: TranscriptFile[],
    parent: string | undefined,
  ): Promise<Place | undefined> {
    const source = new TranscriptSource(this.#parts.transcripts, file);
    try {
      const { prompt, startedAt } = source.readHead();
      const { session = "", cwd, title: named } = source.about;
      const forget = (verdict: string | null): undefined => {
        for (const each of [file, ...subagents]) this.#note(each, verdict);
      };
      const isOwn = cwd !== undefined && this.#parts.transcripts.isOwnFolder(cwd);
      if (!isOwn && !this.#request.all_projects) return forget(cwd === undefined ? null : foreign);
      const owned = this.#owned.get(keyOf(file.engine, session));
      // Deleted, or another session's: that of a run, a talk, a session that was resumed.
      if (owned === null || (owned && owned.bytes === undefined)) return forget(null);
      if (startedAt === undefined && !owned) return forget(null);
      const title = promptTitle(named ?? prompt ?? agentOf(source), this.#write!.redact);
      const wantedId = await this.#idFor(startedAt ?? "", title);
      if (this.#request.dry_run) return await this.#foretell(source, owned, wantedId, subagents);
      return owned
        ? await this.#goOn(source, { ...owned, bytes: owned.bytes! }, subagents, title)
        : await this.#begin(source, wantedId, subagents, parent, title);
    } finally {
      source.close();
      this.#report(source);
    }
  }

  async #begin(
    source: TranscriptSource,
    wantedId: string,
    files: TranscriptFile[],
    parent: string | undefined,
    title: Redacted<string>,
  ): Promise<Place | undefined> {
    const record = this.#parts.bulk.create(wantedId, ofRedactedParts({ title, channel: this.#write!.channel }));
    try {
      const subagents = await this.#importSubagents(files, record.id, new Set());
      const target = { record, before: undefined, knownBytes: 0, parent, subagents, title };
      const written = writeTranscript(this.#write!, source, target);
      if (!written) {
        record.discard();
        this.#note(source.file, null);
        return undefined;
      }
      this.#result.imported += 1;
      this.#wrote(source.file, record.id, written);
      return { id: record.id, isNew: true, link: written.link };
    } catch (error) {
      record.discard();
      throw error;
    }
  }

  async #goOn(
    source: TranscriptSource,
    owned: { id: string; bytes: number },
    files: TranscriptFile[],
    title: Redacted<string>,
  ): Promise<Place> {
    const { bulk } = this.#parts;
    const { id } = owned;
    const linked = await bulk.withLock(id, async () => linkedIn((await bulk.open(id)).frontmatter));
    const subagents = await this.#importSubagents(files, id, linked);
    let link: SubagentEntry | undefined;
    await bulk.withLock(id, async () => {
      const { record, frontmatter: before } = await bulk.open(id);
      const target = { record, before, knownBytes: owned.bytes, parent: undefined, subagents, title };
      const written = writeTranscript(this.#write!, source, target);
      if (!written) {
        this.#result.unchanged += 1;
        return this.#note(source.file, id);
      }
      await written.written;
      link = written.link;
      this.#result.continued += 1;
      this.#wrote(source.file, id, written);
    });
    return { id, isNew: false, ...(link && { link }) };
  }

  /** The sessions of subagents that the session of their agent does not name yet, by the call that started them. */
  async #importSubagents(
    files: TranscriptFile[],
    parent: string,
    linked: ReadonlySet<string>,
  ): Promise<Map<string, SubagentEntry>> {
    const links = new Map<string, SubagentEntry>();
    for (const file of files) {
      try {
        const place = await this.#importFile(file, [], parent);
        if (place?.link && !linked.has(place.id)) links.set(this.#callOf(file), place.link);
        else if (place?.link) await this.#updateLink(parent, place.link);
      } catch (error) {
        this.#skip(file, error);
      }
    }
    return links;
  }

  /** A subagent that its agent's session names already has gone on: the count there follows. */
  async #updateLink(parent: string, link: SubagentEntry): Promise<void> {
    const { bulk } = this.#parts;
    await bulk.withLock(parent, async () => {
      const { record } = await bulk.open(parent);
      if (!record.updateLink(link)) return record.discard();
      const { saved, written } = record.finish(ofRedactedParts({}));
      await written;
      this.#saved.push(saved);
    });
  }

  #callOf(file: TranscriptFile): string {
    return this.#parts.transcripts.reader(file).about.call ?? file.about.session ?? file.path;
  }

  /** Counts what would be done. */
  async #foretell(
    source: TranscriptSource,
    owned: OwnedSession | undefined,
    wantedId: string,
    subagents: TranscriptFile[],
  ): Promise<undefined> {
    if (!owned) this.#result.imported += 1;
    else if (source.file.bytes > owned.bytes!) this.#result.continued += 1;
    else this.#result.unchanged += 1;
    if (!owned || source.file.bytes > owned.bytes!)
      this.#result.sessions.push(owned?.id ?? this.#parts.bulk.freeId(wantedId));
    await this.#importSubagents(subagents, wantedId, new Set());
  }

  async #idFor(startedAt: string, title: string): Promise<string> {
    const started = instantOf(startedAt) ?? new Date(0).toISOString();
    return sessionId(started, isAscii(title) ? title : (await this.#parts.sessions.ground.toAscii())(title));
  }

  #wrote(file: TranscriptFile, id: string, { saved, written }: WrittenTranscript): void {
    this.#result.sessions.push(id);
    this.#saved.push(saved);
    this.#pending.push(written);
    this.#note(file, id);
  }

  /** Remembered once all that was written is on disk. */
  #note({ path, stamp }: TranscriptFile, session: string | null): void {
    this.#noted.push(() => this.#memory.set(path, { stamp, session }));
  }

  async #settle(): Promise<void> {
    if (this.#request.dry_run) return;
    await Promise.all(this.#pending);
    if (this.#pending.length > 0) await this.#parts.bulk.sync();
    await this.#parts.sessions.projections.followAll(this.#saved);
    for (const note of this.#noted) note();
    this.#memory.save();
    this.#pending = [];
    this.#saved = [];
    this.#noted = [];
  }

  #report({ problems, file }: TranscriptSource): void {
    const reason = problems.inWords();
    if (reason !== undefined) this.#result.skipped.push({ path: file.path, reason });
    for (const [kind, lines] of problems.unknown) {
      const known = this.#unknown.get(kind) ?? { path: file.path, lines: 0 };
      this.#unknown.set(kind, { ...known, lines: known.lines + lines });
    }
  }
}

/** The sessions of subagents that a session names. */
function linkedIn({ subagents = [] }: { subagents?: { session?: string }[] }): Set<string> {
  return new Set(subagents.flatMap(({ session }) => session ?? []));
}
