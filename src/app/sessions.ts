import { ClewError } from "../contract/errors.ts";
import { endStatuses, type EndStatus, type LogEntry, type SessionKind } from "../contract/session.ts";
import type { SavePolicy } from "../contract/settings.ts";
import { sessionId } from "../session/session-id.ts";
import { redactFields } from "./redact-fields.ts";
import { phaseTitle } from "../session/next-items.ts";
import { isAscii } from "../session/text.ts";
import type { Clock, RecordWriter, Redact, SavedRecord, SessionRecords, Surroundings } from "./ports.ts";
import { unreadableCodes, type Projections } from "./projections.ts";

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
  idleTimeoutMs: number;
  /** The run whose session this is, while it is not over. */
  openRunOf: (id: string) => Promise<string | undefined>;
  /** Brings the session of a run that nobody drives up to its journal; `driven` when somebody does. */
  foldRun: (id: string) => Promise<"settled" | "driven" | "none">;
}

/** What can be done with a session. Every method returns once its effect is on disk. */
export class Sessions {
  private readonly parts: SessionParts;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  /** Starts a session and returns its id. */
  async start(wanted: NewSession): Promise<string> {
    const { records, clock, toAscii } = this.parts;
    const redact = await this.parts.redact();
    const { firstProblem, startSchema } = await import("../contract/session-schema.ts");
    const checked = startSchema.safeParse(
      Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
    );
    if (!checked.success) {
      throw new ClewError("invalid_input", firstProblem(checked.error), "clew session start --help shows the form");
    }
    const { title: given, agent, ...rest } = redactFields({ channel: this.parts.channel, ...checked.data }, redact);
    const title = phaseTitle(given);
    if (title === "") throw new ClewError("invalid_input", "title: must not be empty", "clew session start TITLE");
    this.parts.prepare();
    const started = new Date(clock.now()).toISOString();
    const commit = this.parts.surroundings.headCommit();
    const branch = redactFields(this.parts.surroundings.headBranch(), redact);
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
  async append(id: string, entries: LogEntry[], saveLater = false): Promise<boolean> {
    let due = false;
    await this.change(id, async (record) => {
      refuseEnded(id, record);
      if (record.glance.status === "paused") await record.set({ status: "active", resume_point: undefined });
      const phases = record.tally.phases;
      await record.append(entries, this.moment());
      due = this.isSavePoint(record, entries, phases);
      return due && !saveLater ? saveIfPossible(record) : undefined;
    });
    return due && saveLater;
  }

  /** Appends to a session in whatever state it is: a person's answer is never too late. */
  async appendAnyway(id: string, entries: LogEntry[]): Promise<void> {
    await this.change(id, async (record) => {
      await record.append(entries, this.moment());
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
      if (record.glance.status !== "paused") await pause(record);
      return record.save();
    });
  }

  async end(id: string, status: EndStatus, error?: string): Promise<void> {
    await this.refuseOpenRun(id);
    const ended = new Date(this.parts.clock.now()).toISOString();
    const redact = await this.parts.redact();
    await this.change(id, async (record) => {
      refuseEnded(id, record);
      const reason = error === undefined ? {} : { error: redact(error.toWellFormed()) };
      await record.set({ status, ended, resume_point: undefined, ...reason });
      return record.save();
    });
  }

  /** Throws when nothing more may be written to the session. */
  async refuseEnded(id: string): Promise<void> {
    await this.parts.records.change(id, (record) => refuseEnded(id, record));
  }

  /** Opens a paused or ended session again. */
  async reopen(id: string): Promise<void> {
    await this.change(id, async (record) => {
      await record.set({ status: "active", ended: undefined, resume_point: undefined });
      return record.save();
    });
  }

  async rename(id: string, wanted: string): Promise<string> {
    const redact = await this.parts.redact();
    const title = phaseTitle(redact(wanted.toWellFormed()));
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
    const at = archived ? new Date(this.parts.clock.now()).toISOString() : undefined;
    await this.change(id, async (record) => {
      if (archived) refuseActive(id, record);
      await record.set({ archived: at });
      return record.save();
    });
  }

  async delete(id: string): Promise<void> {
    await this.refuseOpenRun(id);
    await this.parts.records.remove(id);
    await this.parts.projections.removed([id]);
  }

  /** Before anybody reads: sessions with unsaved entries are saved, idle ones paused. */
  async foldOpen(): Promise<void> {
    const { records, clock, idleTimeoutMs, foldRun } = this.parts;
    for (const id of records.openIds()) {
      const run = await foldRun(id);
      if (run === "settled") continue;
      const glance = records.glance(id);
      // A step may work for long without a word.
      const isIdle = (activeAtMs: number): boolean =>
        run === "none" && idleTimeoutMs > 0 && clock.now() - activeAtMs > idleTimeoutMs;
      if (glance && !glance.dirty && !(glance.status === "active" && isIdle(glance.activeAtMs))) {
        if (glance.status !== "active") await records.closeIfSettled(id);
        continue;
      }
      // Without a copy, nothing was logged on this machine: there is nothing to save.
      if (!records.hasCopy(id)) {
        if (!records.exists(id)) await records.closeIfSettled(id);
        continue;
      }
      try {
        await this.change(id, async (record) => {
          if (record.glance.status === "active" && isIdle(record.glance.activeAtMs)) await pause(record);
          return record.save();
        });
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        // Where nothing can be written, what was saved last can still be read.
        if (error.code === "disk_full" || error.code === "no_permission") continue;
        // It left with its branch, which holds all of it.
        if (error.code === "unknown_session") continue;
        // A session that cannot be read is told of where it is listed; it must not keep the others from being read.
        if (!unreadableCodes.has(error.code)) throw error;
        await this.parts.projections.reread([id]);
      }
    }
  }

  /** What waits in a run is told by its session, so that the run goes first. */
  private async refuseOpenRun(id: string): Promise<void> {
    const runId = await this.parts.openRunOf(id);
    if (runId === undefined) return;
    throw new ClewError(
      "not_possible_now",
      `${id} is the session of a run that is not over`,
      `clew run show ${runId} tells how it stands; clew run cancel ${runId} gives it up`,
    );
  }

  /** Files first, projections after: they only ever follow. */
  async change(
    id: string,
    work: (record: RecordWriter) => Promise<SavedRecord | undefined>,
    searchLater = false,
  ): Promise<void> {
    const saved = await this.parts.records.change(id, work);
    if (saved) await this.parts.projections.follow(id, saved, searchLater);
  }

  private moment(): { at: string; commit: string | undefined } {
    return { at: new Date(this.parts.clock.now()).toISOString(), commit: this.parts.surroundings.headCommit() };
  }

  private isSavePoint(record: RecordWriter, entries: LogEntry[], phasesBefore: number): boolean {
    const { save, clock } = this.parts;
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

async function pause(record: RecordWriter): Promise<void> {
  await record.set({ status: "paused", resume_point: record.tally.phaseId ?? undefined });
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
