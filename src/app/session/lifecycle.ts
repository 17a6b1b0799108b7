import { ClewError } from "../../contract/errors.ts";
import { fromRedacted, ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import { endStatuses, type EndStatus, type SessionKind } from "../../contract/session-values.ts";
import type { LogEntry, RemarkEntry } from "../../contract/session.ts";
import { sessionId } from "../../session/session-id.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { engineSessionsIn } from "../../session/engine-sessions.ts";
import { asTitle } from "../../session/title.ts";
import { isAscii } from "../../session/text.ts";
import { changeSession, originOf, tellParent } from "./change.ts";
import type { SessionParts } from "./parts.ts";
import type { RecordWriter, SavedRecord } from "./ports.ts";

export interface NewSession {
  title: string;
  channel?: string | undefined;
  agent?: string | undefined;
  model?: string | undefined;
  kind?: SessionKind | undefined;
  parent?: string | undefined;
  bead?: string | undefined;
  /** The branch that it works on, where it is not that of the main checkout. */
  branch?: string | undefined;
  /** What it is begun below; see `authority.ts`. */
  begunBelow?: string[] | undefined;
}

// What can be done with a session. Every function returns once its effect is on disk.

/** Starts a session and returns its id. */
export async function startSession(
  parts: SessionParts,
  { begunBelow, branch: ownBranch, ...session }: NewSession,
): Promise<string> {
  const { records, surroundings, clock, settings, ground } = parts;
  const redact = await parts.redact();
  const { firstProblem, startSchema } = await import("../../contract/session-schema.ts");
  const checked = startSchema.safeParse(
    Object.fromEntries(Object.entries(session).filter(([, value]) => value !== undefined)),
  );
  if (!checked.success) {
    throw new ClewError("invalid_input", firstProblem(checked.error), "clew session start --help shows the form");
  }
  const { title: fullTitle, agent, ...rest } = redactRecord({ channel: settings.channel, ...checked.data }, redact);
  const title = asTitle(fullTitle);
  if (title === "") throw new ClewError("invalid_input", "title: must not be empty", "clew session start TITLE");
  ground.prepare();
  const started = new Date(clock.now()).toISOString();
  const commit = surroundings.headCommit();
  const branch = redactRecord(ownBranch ?? surroundings.headBranch(), redact);
  const asciiTitle = isAscii(title) ? title : (await ground.toAscii())(title);
  const id = await records.create(sessionId(started, asciiTitle), {
    type: "session",
    title,
    started,
    status: "active",
    ...rest,
    ...(agent !== undefined && { participants: [agent] }),
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(begunBelow && redactRecord({ begun_below: begunBelow }, redact)),
  });
  await changeSession(parts, id, (record) => record.save());
  return id;
}

/**
 * Appends entries that are ready to be written. A paused session goes on; an ended one refuses. With `saveLater`, a save
 * point is left to the caller; returns whether one is due.
 */
export async function appendEntries(
  parts: SessionParts,
  id: string,
  entries: Redacted<LogEntry>[],
  saveLater = false,
): Promise<boolean> {
  let isSaveDue = false;
  await changeSession(parts, id, async (record) => {
    refuseEnded(id, record);
    const phases = record.tally.phases;
    const earlier = record.glance.status === "paused" ? await standingBefore(parts, id) : [];
    await record.append([...earlier, ...entries], momentNow(parts));
    if (record.glance.status === "paused") await record.set(ofRedactedParts({ status: "active", ...noPause }));
    isSaveDue = isSavePoint(parts, record, entries, phases);
    return isSaveDue && !saveLater ? saveIfPossible(record) : undefined;
  });
  return isSaveDue && saveLater;
}

/** Appends to a session in any state: a person's answer is never too late. */
export async function appendInAnyState(parts: SessionParts, id: string, entries: Redacted<LogEntry>[]): Promise<void> {
  await changeSession(parts, id, async (record) => {
    await record.append(entries, momentNow(parts));
    return record.save();
  });
}

/** The save point that an earlier `appendEntries` left for later. */
export async function saveSession(parts: SessionParts, id: string): Promise<void> {
  await changeSession(parts, id, saveIfPossible, true);
}

export async function pauseSession(parts: SessionParts, id: string): Promise<void> {
  await (await parts.owners.of(id))?.refusePause?.(id);
  await changeSession(parts, id, async (record) => {
    refuseEnded(id, record);
    if (record.glance.status !== "paused") await pauseRecord(record, parts.clock.now());
    return record.save();
  });
}

export async function endSession(parts: SessionParts, id: string, status: EndStatus, error?: string): Promise<void> {
  const owner = await parts.owners.of(id);
  await owner?.refuseEnd(id);
  const ended = new Date(parts.clock.now()).toISOString();
  const redact = await parts.redact();
  await changeSession(parts, id, async (record) => {
    // What failed may still be given up.
    if (status !== "abandoned" || record.glance.status !== "failed") refuseEnded(id, record);
    const reason = error === undefined ? {} : { error: redact(error.toWellFormed()) };
    // Since when it was paused stays: that is a part of what happened.
    await record.set(ofRedactedParts({ status, ended, resume_point: undefined, ...reason }));
    return record.save();
  });
  // What failed can be resumed, and keeps what it holds.
  if (status !== "failed") await owner?.letGo?.(id, { isDeleted: false });
}

/** Throws when nothing more may be written to the session. */
export async function refuseEndedSession(parts: Pick<SessionParts, "records">, id: string): Promise<void> {
  await parts.records.change(id, (record) => refuseEnded(id, record));
}

/** Opens a paused or ended session again. */
export async function reopenSession(parts: SessionParts, id: string): Promise<void> {
  if (await (await parts.owners.of(id))?.resume(id)) return;
  await changeSession(parts, id, async (record) => {
    const earlier = await standingBefore(parts, id);
    if (earlier.length > 0) await record.append(earlier, momentNow(parts));
    await record.set(ofRedactedParts({ status: "active", ended: undefined, ...noPause }));
    return record.save();
  });
}

export async function renameSession(parts: SessionParts, id: string, text: string): Promise<string> {
  const redact = await parts.redact();
  // First redacted, then cut: what is left of a secret that was cut is no secret to the rules.
  const title = fromRedacted(redact(text.toWellFormed()), asTitle);
  if (title === "" || title.includes("\0")) {
    throw new ClewError("invalid_input", "a title must have letters in it", "clew session rename ID TITLE");
  }
  await changeSession(parts, id, async (record) => {
    await record.rename(title);
    return record.save();
  });
  return title;
}

/** Archived sessions stay where they are and are left out of lists. */
export async function archiveSession(parts: SessionParts, id: string, archived: boolean): Promise<void> {
  if (archived) await (await parts.owners.of(id))?.refuseArchive?.(id);
  const at = archived ? new Date(parts.clock.now()).toISOString() : undefined;
  await changeSession(parts, id, async (record) => {
    if (archived) refuseActive(id, record);
    await record.set(ofRedactedParts({ archived: at }));
    return record.save();
  });
}

export async function deleteSession(parts: SessionParts, id: string): Promise<void> {
  const owner = await parts.owners.of(id);
  await owner?.refuseEnd(id);
  const { parent, engineSessions } = await originOf(parts, id);
  const redact = await parts.redact();
  await parts.records.remove(
    id,
    engineSessions.map(({ engine, session }) => redact(`${engine} ${session}`)),
  );
  await parts.projections.removed([id]);
  await owner?.letGo?.(id, { isDeleted: true });
  if (parent !== undefined) await tellParent(parts, parent, { session: id, deleted: true });
}

/** Sessions whose files lack something that was logged. Those that cannot be read are reported elsewhere. */
export async function incompleteSessions({ records }: Pick<SessionParts, "records">): Promise<string[]> {
  const ids: string[] = [];
  for (const id of records.copyIds()) {
    try {
      if (!(await records.read(id)).isWhole) ids.push(id);
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
    }
  }
  return ids;
}

/** Brings back into a session's file what it lacks. */
export async function restoreSession(parts: SessionParts, id: string): Promise<void> {
  await changeSession(parts, id, (record) => record.save());
}

function momentNow({ clock, surroundings }: SessionParts): { at: string; commit: string | undefined } {
  return { at: new Date(clock.now()).toISOString(), commit: surroundings.headCommit() };
}

function isSavePoint(parts: SessionParts, record: RecordWriter, entries: LogEntry[], phasesBefore: number): boolean {
  const { clock, settings } = parts;
  const { save } = settings;
  // What the frontmatter counts is true as soon as it is counted.
  if (entries.some(({ kind }) => kind === "tokens" || kind === "subagent")) return true;
  const hasNewPhase = record.tally.phases > phasesBefore;
  if (save === "phase") return hasNewPhase;
  if (save === "tool") return hasNewPhase || entries.some((entry) => entry.kind === "tool");
  return clock.now() - record.glance.savedAtMs >= save.everyMs;
}

/** The entries are written already: where a save point finds no room, the next reader makes up for it. */
async function saveIfPossible(record: RecordWriter): Promise<SavedRecord | undefined> {
  try {
    return await record.save();
  } catch (error) {
    if (error instanceof ClewError && (error.code === "disk_full" || error.code === "no_permission")) return undefined;
    throw error;
  }
}

export async function pauseRecord(record: RecordWriter, atMs: number): Promise<void> {
  const paused = new Date(atMs).toISOString();
  await record.set(ofRedactedParts({ status: "paused", resume_point: record.tally.phaseId ?? undefined, paused }));
}

const noPause = { resume_point: undefined, paused: undefined };

/** What a session was, until it goes on now, as a remark: its frontmatter tells no more of it from then on. */
async function standingBefore(
  { records, clock, redact }: Pick<SessionParts, "records" | "clock" | "redact">,
  id: string,
): Promise<Redacted<RemarkEntry>[]> {
  const { frontmatter, text } = await records.read(id);
  // What was logged by hand says nothing but what was logged.
  if (engineSessionsIn(frontmatter).length === 0) return [];
  const { status, error } = frontmatter;
  const why = error === undefined ? "" : `: ${error}`;
  const [paused, ended] = [instantOf(frontmatter.paused), instantOf(frontmatter.ended)];
  const now = new Date(clock.now()).toISOString();
  const remarks: RemarkEntry[] = [];
  if (status === "paused" && paused !== undefined)
    remarks.push(remark("paused", paused, now, `The session was paused here${why}, and then went on.`));
  if (status !== "paused" && status !== "active" && ended !== undefined) {
    if (paused !== undefined)
      remarks.push(remark("paused", paused, ended, `The session was paused here, until it was ${status}.`));
    remarks.push(remark(status, ended, now, `The session was ${status} here${why}, and then went on.`));
  }
  // A crash may have come between the remark and what it tells of.
  const news = remarks.filter(({ about, at }) => !text.includes(`> [!remark] ${about!} ${at!} `));
  const redactor = await redact();
  return news.map((each) => redactRecord(each, redactor));
}

function remark(about: NonNullable<RemarkEntry["about"]>, at: string, until: string, text: string): RemarkEntry {
  return { kind: "remark", about, at, until, text };
}

/** A person may have written anything there. */
function instantOf(value: unknown): string | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Throws when nothing more may be written to the session. */
export function refuseEnded(id: string, { glance: { status } }: RecordWriter): void {
  if (!endStatuses.some((each) => each === status)) return;
  throw new ClewError(
    "invalid_input",
    `session ${id} is ${status}, and nothing more is written to it`,
    `open it again first: clew session resume ${id}`,
  );
}

function refuseActive(id: string, { glance }: RecordWriter): void {
  if (glance.status !== "active") return;
  throw new ClewError("invalid_input", `session ${id} is active`, `end or pause it first: clew session end ${id}`);
}
