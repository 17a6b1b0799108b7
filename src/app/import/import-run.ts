import { ClewError } from "../../contract/errors.ts";
import type { ImportRequest, ImportResult } from "../../contract/api/import.ts";
import { ofRedactedParts, type Redacted, type RedactEncoded } from "../../contract/redacted.ts";
import type { Frontmatter, SubagentEntry } from "../../contract/session.ts";
import type { TakenPart } from "../../session/engine-sessions.ts";
import { quickPrices, type PriceTable } from "../../engine/prices.ts";
import { promptTitle } from "../../session/title.ts";
import { instantOf } from "./instant.ts";
import { sessionId } from "../../session/session-id.ts";
import { isAscii } from "../../session/text.ts";
import type { Progress } from "../search/projection.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import type { SessionParts } from "../session/parts.ts";
import { groupFiles, withParents, type TranscriptGroup } from "./groups.ts";
import { ImportBatch } from "./import-batch.ts";
import {
  foreign,
  type BulkRecord,
  type BulkRecords,
  type ImportMemory,
  type OwnedSession,
  type Period,
  type TranscriptFile,
  type Transcripts,
} from "./ports.ts";
import { TranscriptSource } from "./source.ts";
import { nothingKnown, rewrittenInWords, takenIn, type KnownPart } from "./known-part.ts";
import { isRecorded, TranscriptNews } from "./transcript-news.ts";
import { UnknownKinds } from "./unknown-kinds.ts";
import { updateLink } from "./update-link.ts";
import {
  agentOf,
  entriesOf,
  ownerKey,
  writeTranscript,
  type WriteParts,
  type WrittenTranscript,
} from "./write-transcript.ts";

export interface ImportParts {
  sessions: SessionParts;
  transcripts: Transcripts;
  bulk: BulkRecords;
  /** Read anew for each import. */
  memory: () => ImportMemory;
  prices: () => Promise<PriceTable>;
  redactEncoded: () => Promise<RedactEncoded>;
  progress: Progress;
  /** One import at a time. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
}

const progressBytes = 4e6;
const mb = 1e6;

/** What becomes of a transcript. */
interface Place {
  id: string;
  isNew: boolean;
  link?: SubagentEntry;
}

/** A session that has some of a transcript. */
interface ImportedSession {
  id: string;
  taken: TakenPart;
}

/** One import, from the first transcript that is news to the last. */
export class ImportRun {
  readonly #parts: ImportParts;
  readonly #request: ImportRequest;
  readonly #memory: ImportMemory;
  readonly #result: ImportResult;
  #owned = new Map<string, OwnedSession | null>();
  #write: WriteParts | undefined;
  readonly #batch: ImportBatch;
  #doneBytes = 0;
  readonly #unknown = new UnknownKinds();

  constructor(parts: ImportParts, request: ImportRequest, memory: ImportMemory, result: ImportResult) {
    this.#parts = parts;
    this.#request = request;
    this.#memory = memory;
    this.#result = result;
    this.#batch = new ImportBatch(parts, memory);
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
      redactEncoded: await this.#parts.redactEncoded(),
      channel: redact(sessions.settings.channel),
      markAt: (file, position) => transcripts.mark(file, position),
      onRead: (position) => {
        if (this.#doneBytes + position - shownBytes < progressBytes) return;
        shownBytes = this.#doneBytes + position;
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
      if (this.#batch.isFull) await this.#batch.settle();
    }
    if (!this.#request.dry_run) await this.#batch.settle();
    this.#result.skipped.push(...this.#unknown.inWords(redact));
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

  /** Undefined when the transcript becomes no session. `recorded` is when Clew drove the agent that it works for. */
  async #importFile(
    file: TranscriptFile,
    subagents: TranscriptFile[],
    parent: string | undefined,
    recorded: readonly Period[] = [],
  ): Promise<Place | undefined> {
    const source = new TranscriptSource(this.#parts.transcripts, file);
    try {
      const { prompt, startedAt } = source.readHead();
      const { cwd, title: named } = source.about;
      const forget = (verdict: string | null): undefined => {
        for (const each of [file, ...subagents]) this.#batch.note(each, verdict);
      };
      const isOwn = cwd !== undefined && this.#parts.transcripts.isOwnFolder(cwd);
      if (!isOwn && !this.#request.all_projects) return forget(cwd === undefined ? null : foreign);
      const owned = this.#owned.get(ownerKey(source, this.#write!.redact));
      // Deleted, or another session's: that of a run or a talk.
      if (owned === null || (owned && owned.taken === undefined)) return forget(null);
      const began = startedAt === undefined ? undefined : instantOf(startedAt);
      if (!owned && (startedAt === undefined || isRecorded(began ?? "", recorded))) return forget(null);
      const title = promptTitle(named ?? prompt ?? agentOf(source), this.#write!.redact);
      const wantedId = await this.#idFor(began, title);
      const continued = owned && { id: owned.id, taken: owned.taken! };
      if (this.#request.dry_run) return await this.#foretell(source, continued, wantedId, subagents);
      return continued
        ? await this.#goOn(source, continued, subagents, title)
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
      const target = { record, before: undefined, known: nothingKnown, parent, subagents, title };
      const written = writeTranscript(this.#write!, source, target);
      if (!written) {
        record.discard();
        this.#batch.note(source.file, null);
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
    owned: ImportedSession,
    files: TranscriptFile[],
    title: Redacted<string>,
  ): Promise<Place> {
    const { bulk } = this.#parts;
    const { id } = owned;
    const atFirst = await bulk.withLock(id, async () => (await bulk.open(id)).frontmatter);
    const periods = this.#knownOf(source, owned, atFirst)?.recorded;
    const subagents = periods && (await this.#importSubagents(files, id, linkedIn(atFirst), periods));
    let link: SubagentEntry | undefined;
    await bulk.withLock(id, async () => {
      const { record, frontmatter: before } = await bulk.open(id);
      const known = this.#knownOf(source, owned, before);
      const target = known && subagents && { record, before, known, parent: undefined, subagents, title };
      const written = target && orDiscard(record, () => writeTranscript(this.#write!, source, target));
      if (!written) {
        this.#result.unchanged += 1;
        if (target) this.#batch.note(source.file, id);
        return;
      }
      await written.written;
      link = written.link;
      this.#result.continued += 1;
      this.#tellRewritten(source, id, target.known);
      this.#wrote(source.file, id, written);
    });
    return { id, isNew: false, ...(link && { link }) };
  }

  /** What a session has of a transcript. Undefined while Clew may be driving its engine: a later import sees the end of that. */
  #knownOf({ file }: TranscriptSource, { id, taken }: ImportedSession, before: Frontmatter): KnownPart | undefined {
    const recorded = this.#parts.bulk.recorded(id, file.engine);
    if (before.status === "active" && recorded.length > 0) return undefined;
    return { ...takenIn(this.#parts.transcripts, file, taken, before), recorded };
  }

  /** The sessions of subagents that the session of their agent does not name yet, by the call that started them. */
  async #importSubagents(
    files: TranscriptFile[],
    parent: string,
    linked: ReadonlySet<string>,
    recorded: readonly Period[] = [],
  ): Promise<Map<string, SubagentEntry>> {
    const links = new Map<string, SubagentEntry>();
    for (const file of files) {
      try {
        const place = await this.#importFile(file, [], parent, recorded);
        if (place?.link && !linked.has(place.id)) links.set(this.#callOf(file), place.link);
        else if (place?.link) this.#batch.addRecord(await updateLink(this.#parts.bulk, parent, place.link));
      } catch (error) {
        this.#skip(file, error);
      }
    }
    return links;
  }

  #callOf(file: TranscriptFile): string {
    return this.#parts.transcripts.reader(file).about.call ?? file.about.session ?? file.path;
  }

  /** Counts what would be done. */
  async #foretell(
    source: TranscriptSource,
    owned: ImportedSession | undefined,
    wantedId: string,
    files: TranscriptFile[],
  ): Promise<Place> {
    const { sessions, bulk } = this.#parts;
    const before = owned && (await sessions.records.read(owned.id)).frontmatter;
    const known = owned && before ? this.#knownOf(source, owned, before) : nothingKnown;
    const links = known && (await this.#importSubagents(files, wantedId, linkedIn(before ?? {}), known.recorded));
    const hasNews = known && links && this.#hasNews(source, known, links);
    const id = owned?.id ?? (hasNews ? bulk.freeId(wantedId) : wantedId);
    if (hasNews) this.#result.sessions.push(id);
    if (hasNews) this.#tellRewritten(source, id, known);
    if (hasNews) this.#result[owned ? "continued" : "imported"] += 1;
    else if (owned) this.#result.unchanged += 1;
    const link = { kind: "subagent", agent: agentOf(source), mode: "link", session: id, summary: "" } as const;
    return { id, isNew: !owned, ...(hasNews && !owned && { link }) };
  }

  #hasNews(source: TranscriptSource, known: KnownPart, links: Map<string, SubagentEntry>): boolean {
    const news = new TranscriptNews(source, entriesOf(this.#write!, source, links), known);
    return news.read(() => undefined).next().done !== true;
  }

  async #idFor(startedAt: string | undefined, title: string): Promise<string> {
    const started = startedAt ?? new Date(0).toISOString();
    return sessionId(started, isAscii(title) ? title : (await this.#parts.sessions.ground.toAscii())(title));
  }

  #wrote(file: TranscriptFile, id: string, written: WrittenTranscript): void {
    this.#result.sessions.push(id);
    this.#batch.add(file, id, written);
  }

  #tellRewritten({ file }: TranscriptSource, id: string, known: KnownPart): void {
    const told = rewrittenInWords(file, id, known);
    if (told) this.#result.skipped.push(told);
  }

  #report({ problems, file }: TranscriptSource): void {
    const reason = problems.inWords();
    if (reason !== undefined) this.#result.skipped.push({ path: file.path, reason });
    this.#unknown.add(file.path, problems.unknown);
  }
}

/** What was begun is taken back when it fails. */
function orDiscard<T>(record: BulkRecord, work: () => T): T {
  try {
    return work();
  } catch (error) {
    record.discard();
    throw error;
  }
}

/** The sessions of subagents that a session names. */
function linkedIn({ subagents = [] }: { subagents?: { session?: string }[] }): Set<string> {
  return new Set(subagents.flatMap(({ session }) => session ?? []));
}
