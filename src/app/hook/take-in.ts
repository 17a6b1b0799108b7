import { importTranscripts } from "../import/import.ts";
import type { ImportParts } from "../import/parts.ts";
import type { OwnedSession, TranscriptFile, Transcripts } from "../import/ports.ts";
import { keyOf } from "../import/write-transcript.ts";
import { pauseSession } from "../session/lifecycle.ts";
import type { HookSpools, OpenSpool, SpoolStanding } from "./ports.ts";

/** An engine writes its transcript a little later than it calls a hook. */
const lateMs = 10_000;

interface Parts extends ImportParts {
  spools: HookSpools;
  /** These transcripts alone. */
  choose: (transcripts: Transcripts, files: TranscriptFile[]) => Transcripts;
  nowMs: () => number;
  idleTimeoutMs: number;
}

/** An engine session, with how it stands. */
interface SpooledSession {
  spool: OpenSpool;
  standing: SpoolStanding;
}

/**
 * Makes sessions of what agents told their hooks that the user started, as an import does: by the engine's own transcript, which has
 * more, or by what hooks told where there is none. Can be stopped at any line, and goes on where it was.
 */
export async function takeInHooks(parts: Parts): Promise<void> {
  const { spools, nowMs } = parts;
  const open = spools.open();
  const isFresh = ({ bytes, taken, writtenMs }: OpenSpool): boolean =>
    bytes !== taken?.bytes || nowMs() - writtenMs < lateMs;
  const fresh = open.filter(isFresh).map((spool) => ({ spool, standing: spools.standing(spool) }));
  // Whose an engine session is must not change before its session is made: two processes would make one each.
  if (fresh.length > 0) await parts.withLock(() => takeIn({ ...parts, withLock: (work) => work() }, fresh));
  for (const spool of open) if (!isFresh(spool)) await settle(parts, spool);
}

/** A transcript to be read; those of subagents have no standing. */
interface Chosen {
  file: TranscriptFile;
  standing: SpoolStanding | undefined;
}

async function takeIn(parts: Parts, spooled: SpooledSession[]): Promise<void> {
  const { bulk, spools } = parts;
  const { owned, chosen } = (await fromKnownSessions(parts, spooled)) ?? (await fromAllSessions(parts, spooled));
  const isDeleted = ({ spool }: SpooledSession): boolean => owned.get(nameOf(spool)) === null;
  for (const { spool } of spooled.filter(isDeleted)) spools.remove(spool);
  const standings = new Map(chosen.map(({ file, standing }) => [file.path, standing]));
  await importTranscripts(
    {
      ...parts,
      bulk: { ...bulk, engineSessions: async () => owned },
      transcripts: parts.choose(
        parts.transcripts,
        chosen.map(({ file }) => file),
      ),
      sessionForm: { kind: "chat", statusOf: ({ path }) => statusOf(standings.get(path)) },
    },
    {},
  );
  const memory = parts.memory();
  for (const each of spooled.filter((one) => !isDeleted(one))) {
    const main = chosen.find(({ standing }) => standing === each.standing);
    // Its transcript is awaited: the next look finds it, or does without.
    if (!main) continue;
    const session = memory.get(main.file.path)?.session ?? null;
    spools.note(each.spool, { bytes: each.spool.bytes, session });
  }
}

/** Whose each engine session is, and what each is read from. */
interface Sources {
  owned: Map<string, OwnedSession | null>;
  chosen: Chosen[];
}

async function fromAllSessions(parts: Parts, spooled: SpooledSession[]): Promise<Sources> {
  const owned = await parts.bulk.engineSessions();
  return { owned, chosen: await filesOf(parts, spooled, owned) };
}

/**
 * The same where all have a session already: only these, and those of their subagents, are looked at. Undefined where there is
 * something that no session of these is known to have.
 */
async function fromKnownSessions(parts: Parts, spooled: SpooledSession[]): Promise<Sources | undefined> {
  const { sessions, bulk } = parts;
  const ids: string[] = [];
  for (const { spool } of spooled) {
    const id = spool.taken?.session ?? null;
    if (id === null || !sessions.records.exists(id)) return undefined;
    const { subagents = [] } = (await sessions.records.read(id)).frontmatter;
    ids.push(id, ...subagents.flatMap(({ session }) => session ?? []));
  }
  const owned = await bulk.engineSessions(ids);
  const chosen = await filesOf(parts, spooled, owned);
  const memory = parts.memory();
  const isKnown = ({ file }: Chosen): boolean => ids.includes(memory.get(file.path)?.session ?? "");
  return spooled.every(({ spool }) => owned.has(nameOf(spool))) && chosen.every(isKnown)
    ? { owned, chosen }
    : undefined;
}

function statusOf(standing: SpoolStanding | undefined): "active" | "completed" | undefined {
  return standing && (standing.isOver ? "completed" : "active");
}

/** What each engine session is read from: once begun, always the same. */
async function filesOf(
  { transcripts, spools, nowMs }: Parts,
  spooled: SpooledSession[],
  owned: ReadonlyMap<string, OwnedSession | null>,
): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  for (const engine of new Set(spooled.map(({ spool }) => spool.engine))) {
    const listed = (await transcripts.list(engine, false)).files;
    for (const { spool, standing } of spooled.filter((each) => each.spool.engine === engine)) {
      const { session } = spool;
      // Where a file's name has only a part of the id, the engine tells its path; no other file is opened for that.
      const isOwn = ({ about, path }: TranscriptFile): boolean =>
        about.session === session || about.parent === session || path === standing.transcript;
      const own = listed.filter(isOwn);
      const owner = owned.get(nameOf(spool));
      if (owner === null) continue;
      const byHooks = owner?.taken?.source === "hooks";
      // How it stands may be the only news.
      const state = standing.isOver ? "over" : "open";
      if (!byHooks && own.length > 0)
        for (const file of own)
          chosen.push({
            file: { ...file, stamp: `${file.stamp} ${state}` },
            standing: file.about.parent ? undefined : standing,
          });
      else if (byHooks || !isAwaited(spools, standing, nowMs())) chosen.push({ file: spoolFile(spool), standing });
    }
  }
  return chosen;
}

/** Whether the engine is just about to write its own transcript. */
function isAwaited(spools: HookSpools, { transcript, beganMs, isOver }: SpoolStanding, nowMs: number): boolean {
  return !isOver && transcript !== undefined && nowMs - beganMs < lateMs && spools.mayBeWritten(transcript);
}

function spoolFile({ engine, session, path, bytes, writtenMs }: OpenSpool): TranscriptFile {
  return { engine, path, stamp: String(bytes), bytes, writtenMs, about: { session }, source: "hooks" };
}

/** An engine session whose session has all of it: it is over, or nothing was heard of it for long. */
async function settle({ spools, sessions, nowMs, idleTimeoutMs }: Parts, spool: OpenSpool): Promise<void> {
  const { isOver } = spools.standing(spool);
  const isIdle = idleTimeoutMs > 0 && nowMs() - spool.writtenMs > idleTimeoutMs;
  if (!isOver && !isIdle) return;
  spools.close(spool);
  const id = spool.taken?.session ?? null;
  if (isOver || id === null || !sessions.records.exists(id)) return;
  const { status } = (await sessions.records.read(id)).frontmatter;
  if (status === "active") await pauseSession(sessions, id);
}

function nameOf({ engine, session }: OpenSpool): string {
  return keyOf(engine, session);
}
