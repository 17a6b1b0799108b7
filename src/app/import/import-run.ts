import { ClewError } from "../../contract/errors.ts";
import type { ImportRequest, ImportResult } from "../../contract/api/import.ts";
import { ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import type { Frontmatter, SubagentEntry } from "../../contract/session.ts";
import { quickPrices } from "../../engine/prices.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import { rebuildCountedMessages } from "./rebuild-counted-messages.ts";
import type { ImportParts, SessionForm } from "./parts.ts";
import { groupFiles, withParents, type TranscriptGroup } from "./groups.ts";
import { ImportBatch } from "./import-batch.ts";
import {
  foreign,
  type BulkRecord,
  type ImportMemory,
  type OwnedSession,
  type Period,
  type TranscriptFile,
} from "./ports.ts";
import { TranscriptSource } from "./source.ts";
import { nothingKnown, rewrittenInWords, importedPart, type KnownPart } from "./known-part.ts";
import { placeOf, type ImportedSession, type Place } from "./ownership.ts";
import { TranscriptNews } from "./transcript-news.ts";
import { UnknownKinds } from "./unknown-kinds.ts";
import { linkedIn, updateLink } from "./update-link.ts";
import { agentOf, entriesOf, writeTranscript, type WriteParts } from "./write-transcript.ts";

const progressBytes = 4e6;
const mb = 1e6;
const importedForm: SessionForm = { kind: "import", statusOf: () => undefined };

/** What became of a transcript. */
interface Outcome {
  id: string;
  count: "imported" | "continued" | "unchanged" | undefined;
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
      form: this.#parts.sessionForm ?? importedForm,
      markAt: (file, position) => transcripts.mark(file, position),
      onRead: (position) => {
        if (this.#doneBytes + position - shownBytes < progressBytes) return;
        shownBytes = this.#doneBytes + position;
        progress("reading transcripts, MB", Math.round(shownBytes / mb), Math.round(totalBytes / mb));
      },
    };
    rebuildCountedMessages({ transcripts, memory: this.#memory, redact, owned: this.#owned }, groups.flatMap(filesOf));
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
  ): Promise<Outcome | undefined> {
    const source = new TranscriptSource(this.#parts.transcripts, file);
    try {
      const place = await placeOf(this.#ownership(), source, recorded);
      if (place === null || place === foreign) {
        for (const each of [file, ...subagents]) this.#batch.note(each, place);
        return undefined;
      }
      const outcome = await this.#take(source, place, subagents, parent);
      this.#count(outcome);
      return outcome;
    } finally {
      source.close();
      this.#report(source);
    }
  }

  #ownership(): Parameters<typeof placeOf>[0] {
    const { transcripts, sessions } = this.#parts;
    return {
      transcripts,
      owned: this.#owned,
      redact: this.#write!.redact,
      toAscii: () => sessions.ground.toAscii(),
      everywhere: this.#request.all_projects === true,
    };
  }

  #take(
    source: TranscriptSource,
    place: Place,
    subagents: TranscriptFile[],
    parent: string | undefined,
  ): Promise<Outcome | undefined> {
    if (this.#request.dry_run) return this.#foretell(source, place, subagents);
    const { continued, title } = place;
    return continued ? this.#goOn(source, continued, subagents, title) : this.#begin(source, place, subagents, parent);
  }

  #count(outcome: Outcome | undefined): void {
    if (!outcome?.count) return;
    this.#result[outcome.count] += 1;
    if (outcome.count !== "unchanged") this.#result.sessions.push(outcome.id);
  }

  async #begin(
    source: TranscriptSource,
    { wantedId, title }: Place,
    files: TranscriptFile[],
    parent: string | undefined,
  ): Promise<Outcome | undefined> {
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
      this.#batch.add(source.file, record.id, written);
      return { id: record.id, count: "imported", link: written.link };
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
  ): Promise<Outcome> {
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
        if (target) this.#batch.note(source.file, id);
        return;
      }
      await written.written;
      link = written.link;
      this.#tellRewritten(source, id, target.known);
      this.#batch.add(source.file, id, written);
    });
    return link ? { id, count: "continued", link } : { id, count: "unchanged" };
  }

  /** What a session has of a transcript. Undefined while Clew may be driving its engine: a later import sees the end of that. */
  #knownOf({ file }: TranscriptSource, { id, taken }: ImportedSession, before: Frontmatter): KnownPart | undefined {
    const recorded = this.#parts.bulk.recorded(id, file.engine);
    if (before.status === "active" && recorded.length > 0) return undefined;
    return { ...importedPart(this.#parts.transcripts, file, taken, before), recorded };
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
        const outcome = await this.#importFile(file, [], parent, recorded);
        if (outcome?.link && !linked.has(outcome.id)) links.set(this.#callOf(file), outcome.link);
        else if (outcome?.link) this.#batch.addRecord(await updateLink(this.#parts.bulk, parent, outcome.link));
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
    { continued: owned, wantedId }: Place,
    files: TranscriptFile[],
  ): Promise<Outcome> {
    const { sessions, bulk } = this.#parts;
    const before = owned && (await sessions.records.read(owned.id)).frontmatter;
    const known = owned && before ? this.#knownOf(source, owned, before) : nothingKnown;
    const links = known && (await this.#importSubagents(files, wantedId, linkedIn(before ?? {}), known.recorded));
    const hasNews = known && links && this.#hasNews(source, known, links);
    const id = owned?.id ?? (hasNews ? bulk.freeId(wantedId) : wantedId);
    if (hasNews) this.#tellRewritten(source, id, known);
    const unchanged = owned ? "unchanged" : undefined;
    const count = hasNews ? (owned ? "continued" : "imported") : unchanged;
    const link = { kind: "subagent", agent: agentOf(source), mode: "link", session: id, summary: "" } as const;
    return { id, count, ...(count === "imported" && { link }) };
  }

  #hasNews(source: TranscriptSource, known: KnownPart, links: Map<string, SubagentEntry>): boolean {
    const news = new TranscriptNews(source, entriesOf(this.#write!, source, links), known);
    return news.read(() => undefined).next().done !== true;
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
