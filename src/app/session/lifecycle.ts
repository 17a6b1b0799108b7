import { ClewError } from "../../contract/errors.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import type { LogEntry } from "../../contract/session.ts";
import { endStatuses, type EndStatus, type SessionKind } from "../../contract/session-values.ts";
import type { SavePolicy } from "../../contract/settings.ts";
import { sessionId } from "../../session/session-id.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { phaseTitle } from "../../session/next-items.ts";
import { isAscii } from "../../session/text.ts";
import type { SessionOwners } from "./owner.ts";
import { ParentSessions } from "./parent-sessions.ts";
import type { Clock, RecordWriter, SavedRecord, SessionRecords, Surroundings } from "./ports.ts";
import type { Projections } from "./projections.ts";

export interface NewSession {
  title: string;
  channel?: string | undefined;
  agent?: string | undefined;
  model?: string | undefined;
  kind?: SessionKind | undefined;
  parent?: string | undefined;
}

export interface SessionParts {
  records: SessionRecords;
  projections: Projections;
  surroundings: Surroundings;
  clock: Clock;
  /** Loaded when something is written. */
  redact: () => Promise<Redact>;
  /** Makes the folders that a first session needs. */
  prepare: () => void;
  /** Writes any script in ASCII letters; loaded when a title needs it. */
  toAscii: () => Promise<(text: string) => string>;
  save: SavePolicy;
  /** Where sessions happen that are started without a channel. */
  channel: string;
  owners: SessionOwners;
}

/** What can be done with a session. Every method returns once its effect is on disk. */
export class Sessions {
  readonly #parts: SessionParts;
  readonly #parents: ParentSessions;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#parents = new ParentSessions(parts.records, parts.redact, (id, work) => this.change(id, work));
  }

  /** Starts a session and returns its id. */
  async start(wanted: NewSession): Promise<string> {
    const { records, clock, toAscii } = this.#parts;
    const redact = await this.#parts.redact();
    const { firstProblem, startSchema } = await import("../../contract/session-schema.ts");
    const checked = startSchema.safeParse(
      Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
    );
    if (!checked.success) {
      throw new ClewError("invalid_input", firstProblem(checked.error), "clew session start --help shows the form");
    }
    const { title: given, agent, ...rest } = redactRecord({ channel: this.#parts.channel, ...checked.data }, redact);
    const title = phaseTitle(given);
    if (title === "") throw new ClewError("invalid_input", "title: must not be empty", "clew session start TITLE");
    this.#parts.prepare();
    const started = new Date(clock.now()).toISOString();
    const commit = this.#parts.surroundings.headCommit();
    const branch = redactRecord(this.#parts.surroundings.headBranch(), redact);
    const asciiTitle = isAscii(title) ? title : (await toAscii())(title);
    const id = await records.create(sessionId(started, asciiTitle), {
      type: "session",
      title,
      started,
      status: "active",
      ...rest,
      ...(agent !== undefined && { participants: [agent] }),
      ...(branch !== undefined && { branch }),
      ...(commit !== undefined && { commit }),
    });
    await this.change(id, (record) => record.save());
    return id;
  }

  /**
   * Appends entries that are ready to be written. A paused session goes on; an ended one refuses. With `saveLater`, a save
   * point is left to the caller; returns whether one is due.
   */
  async append(id: string, entries: Redacted<LogEntry>[], saveLater = false): Promise<boolean> {
    let due = false;
    await this.change(id, async (record) => {
      refuseEnded(id, record);
      if (record.glance.status === "paused")
        await record.set(assumeRedacted({ status: "active", resume_point: undefined }));
      const phases = record.tally.phases;
      await record.append(entries, this.#moment());
      due = this.#isSavePoint(record, entries, phases);
      return due && !saveLater ? saveIfPossible(record) : undefined;
    });
    return due && saveLater;
  }

  /** Appends to a session in whatever state it is: a person's answer is never too late. */
  async appendAnyway(id: string, entries: Redacted<LogEntry>[]): Promise<void> {
    await this.change(id, async (record) => {
      await record.append(entries, this.#moment());
      return record.save();
    });
  }

  /** The save point that an earlier `append` left for later. */
  async save(id: string): Promise<void> {
    await this.change(id, saveIfPossible, true);
  }

  async pause(id: string): Promise<void> {
    await this.change(id, async (record) => {
      refuseEnded(id, record);
      if (record.glance.status !== "paused") await pauseRecord(record);
      return record.save();
    });
  }

  async end(id: string, status: EndStatus, error?: string): Promise<void> {
    await (await this.#parts.owners.of(id))?.refuseEnd(id);
    const ended = new Date(this.#parts.clock.now()).toISOString();
    const redact = await this.#parts.redact();
    await this.change(id, async (record) => {
      refuseEnded(id, record);
      const reason = error === undefined ? {} : { error: redact(error.toWellFormed()) };
      await record.set(assumeRedacted({ status, ended, resume_point: undefined, ...reason }));
      return record.save();
    });
  }

  /** Throws when nothing more may be written to the session. */
  async refuseEnded(id: string): Promise<void> {
    await this.#parts.records.change(id, (record) => refuseEnded(id, record));
  }

  /** Opens a paused or ended session again. */
  async reopen(id: string): Promise<void> {
    if (await (await this.#parts.owners.of(id))?.resume(id)) return;
    await this.change(id, async (record) => {
      await record.set(assumeRedacted({ status: "active", ended: undefined, resume_point: undefined }));
      return record.save();
    });
  }

  async rename(id: string, wanted: string): Promise<string> {
    const redact = await this.#parts.redact();
    // First redacted, then cut: what is left of a secret that was cut is no secret to the rules.
    const title = assumeRedacted(phaseTitle(redact(wanted.toWellFormed())));
    if (title === "" || title.includes("\0")) {
      throw new ClewError("invalid_input", "a title must have letters in it", "clew session rename ID TITLE");
    }
    await this.change(id, async (record) => {
      await record.rename(title);
      return record.save();
    });
    return title;
  }

  /** Archived sessions stay where they are and are left out of lists. */
  async archive(id: string, archived: boolean): Promise<void> {
    const at = archived ? new Date(this.#parts.clock.now()).toISOString() : undefined;
    await this.change(id, async (record) => {
      if (archived) refuseActive(id, record);
      await record.set(assumeRedacted({ archived: at }));
      return record.save();
    });
  }

  async delete(id: string): Promise<void> {
    await (await this.#parts.owners.of(id))?.refuseEnd(id);
    const parent = await this.#parents.of(id);
    await this.#parts.records.remove(id);
    await this.#parts.projections.removed([id]);
    if (parent !== undefined) await this.#parents.tell(parent, { session: id, deleted: true });
  }

  /** Sessions whose files lack something that was logged. Those that cannot be read are told of elsewhere. */
  async lacking(): Promise<string[]> {
    const { records } = this.#parts;
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
  async restore(id: string): Promise<void> {
    await this.change(id, (record) => record.save());
  }

  /** Files first, projections after: they only ever follow. */
  async change(
    id: string,
    work: (record: RecordWriter) => Promise<SavedRecord | undefined>,
    searchLater = false,
  ): Promise<void> {
    const saved = await this.#parts.records.change(id, work);
    if (!saved) return;
    await this.#parts.projections.follow(id, saved, searchLater);
    if (saved.hasCounted) await this.#parents.tellCount(saved.frontmatter);
  }

  #moment(): { at: string; commit: string | undefined } {
    return { at: new Date(this.#parts.clock.now()).toISOString(), commit: this.#parts.surroundings.headCommit() };
  }

  #isSavePoint(record: RecordWriter, entries: LogEntry[], phasesBefore: number): boolean {
    const { save, clock } = this.#parts;
    // What the frontmatter counts is true as soon as it is counted.
    if (entries.some(({ kind }) => kind === "tokens" || kind === "subagent")) return true;
    const newPhase = record.tally.phases > phasesBefore;
    if (save === "phase") return newPhase;
    if (save === "tool") return newPhase || entries.some((entry) => entry.kind === "tool");
    return clock.now() - record.glance.savedAtMs >= save.everyMs;
  }
}

/** The entries are written. A save point that finds no room is made up for by whoever reads next. */
async function saveIfPossible(record: RecordWriter): Promise<SavedRecord | undefined> {
  try {
    return await record.save();
  } catch (error) {
    if (error instanceof ClewError && (error.code === "disk_full" || error.code === "no_permission")) return undefined;
    throw error;
  }
}

export async function pauseRecord(record: RecordWriter): Promise<void> {
  await record.set(assumeRedacted({ status: "paused", resume_point: record.tally.phaseId ?? undefined }));
}

function refuseEnded(id: string, { glance: { status } }: RecordWriter): void {
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
