import { ClewError } from "../../../contract/errors.ts";
import type { JournalLine } from "../../../contract/run-journal.ts";
import type { LogEntry } from "../../../contract/session.ts";
import { mergedCommit } from "../../../run/merge-results.ts";
import { SessionEntries, type SessionStanding } from "../../../run/session-entries.ts";
import { asTitle } from "../../../session/title.ts";
import { parseItems } from "../../../session/parse.ts";
import { redactRecord } from "../../../redact/redact-record.ts";
import { finishEntry } from "../../session/entries.ts";
import { missingEntries, projectedPhases } from "../../session/missing-entries.ts";
import type { Redact, Redacted } from "../../../contract/redacted.ts";
import type { RecordWriter, SessionRecords } from "../../session/ports.ts";
import type { RunStore } from "../ports.ts";
import type { ChangeRecord } from "../../session/change.ts";

export interface RunRecordParts {
  records: SessionRecords;
  changeSession: (id: string, work: ChangeRecord) => Promise<void>;
  store: Pick<RunStore, "exists" | "state" | "lines" | "isDriven" | "openIds">;
  /** Where the event with this number, which begins a step or the run, stands in the journal. */
  placeOf: (runId: string, n: number) => number | undefined;
  redact: () => Promise<Redact>;
  /** Where the sessions of runs happen. */
  channel: string;
}

type Started = Extract<JournalLine, { type: "workflow.started" }>;

/** Entries that are written at once, so that a long journal is never held as a whole. */
const groupSize = 500;
/** How many names are tried for a run whose own id is another session's. */
const namesTried = 9;

/**
 * The session of one run, brought up to its journal. Any number of processes may do this at the same time: each writes
 * under the session's lock, and a process that finds that another wrote meanwhile compares journal and session anew.
 */
export class RunRecord {
  readonly #parts: RunRecordParts;
  readonly #runId: string;
  #id: string | undefined;
  #started: Started | undefined;
  /** Stands where the session ends; undefined while that has to be found out from the journal. */
  #projection: SessionEntries | undefined;
  /** The session's revision when this wrote last. */
  #revision = -1;
  /** Lines that the projection does not know yet. */
  #lines: JournalLine[] = [];

  constructor(parts: RunRecordParts, runId: string) {
    this.#parts = parts;
    this.#runId = runId;
  }

  /** A line that stands in the journal by now. */
  add(line: JournalLine): void {
    // Otherwise the journal is read anyway.
    if (this.#projection) this.#lines.push(line);
  }

  /** Makes the session unless it is there; gives its id. */
  async make(): Promise<string> {
    return (this.#id ??= (await this.find()) ?? (await this.#create()));
  }

  /** Writes what the journal has and the session has not. Not synced: it can be made again. */
  async write(): Promise<void> {
    const redact = await this.#parts.redact();
    // Known at once, so that no import takes it for a session that is not recorded.
    const mayHaveEngineSession = !this.#projection || this.#lines.some(({ type }) => type === "agent.init");
    await this.#onSession((id) =>
      this.#parts.records.change(
        id,
        async (record) => {
          const { standing } = await this.#project(record, redact);
          if (standing.status !== record.glance.status)
            await record.set(redactRecord(frontmatterOf(standing, record), redact));
          const { engine_sessions } = mayHaveEngineSession ? this.#parts.store.state(this.#runId) : {};
          if (engine_sessions) await record.set(redactRecord({ engine_sessions }, redact));
          this.#revision = record.revision;
        },
        { durable: false },
      ),
    );
  }

  /** The same when the run has stopped or no process drives it: the session says so, and is saved. */
  async settle(): Promise<void> {
    const { store, changeSession } = this.#parts;
    const redact = await this.#parts.redact();
    await this.#onSession((id) => {
      const isDriven = store.isDriven(this.#runId);
      const { usage, engine_sessions, steps } = store.state(this.#runId);
      const { cost_usd } = usage;
      const merged = mergedCommit(this.#first().pinned.grimoire, steps);
      return changeSession(id, async (record) => {
        const { standing } = await this.#project(record, redact);
        const finalStanding: SessionStanding =
          standing.status === "active" && !isDriven ? { status: "paused" } : standing;
        const changes = {
          ...frontmatterOf(finalStanding, record),
          ...(cost_usd !== undefined && { cost_usd }),
          ...(engine_sessions && { engine_sessions }),
          ...(merged !== undefined && { merged }),
        };
        await record.set(redactRecord(changes, redact));
        this.#revision = record.revision;
        return record.save();
      });
    });
  }

  /** A session that was deleted meanwhile is made again, whole. */
  async #onSession(work: (id: string) => Promise<void>): Promise<void> {
    for (let isAgain = false; ; isAgain = true) {
      try {
        return await work(await this.make());
      } catch (error) {
        this.#id = this.#projection = undefined;
        this.#lines = [];
        const isGone = error instanceof ClewError && error.code === "unknown_session";
        if (isAgain || !isGone) throw error;
      }
    }
  }

  async #project(record: RecordWriter, redact: Redact): Promise<SessionEntries> {
    // Nothing is awaited before the journal's end is known: whatever line comes later waits among the lines.
    const lines = this.#lines.splice(0);
    const { pinned, at } = this.#first();
    const moment = { at: lines.at(-1)?.at ?? at, commit: pinned.base ?? undefined };
    const write = async (entries: Redacted<LogEntry>[]): Promise<void> => {
      if (entries.length > 0) await record.append(entries, moment);
    };
    const finish = (entry: LogEntry): Redacted<LogEntry> => this.#finish(entry, redact);
    const projection = this.#revision === record.revision ? this.#projection : undefined;
    if (projection) await write(lines.flatMap((line) => projection.add(line)).map(finish));
    else {
      const body = await record.body();
      // The journal, which is read now, has these as well.
      this.#lines = [];
      this.#projection = await this.#catchUp(body, finish, write);
    }
    return this.#projection!;
  }

  /** Writes what the journal has and the body has not. Returns the projection as it stands at the journal's end. */
  async #catchUp(
    body: string,
    finish: (entry: LogEntry) => Redacted<LogEntry>,
    write: (entries: Redacted<LogEntry>[]) => Promise<void>,
  ): Promise<SessionEntries> {
    const { channels } = this.#first().pinned;
    // A phase without one would be in that of the phase before it.
    const channelOf = (path: string): string | undefined =>
      channels && (Object.hasOwn(channels, path) ? channels[path] : this.#parts.channel);
    const projection = new SessionEntries(this.#runId, channelOf);
    const { start, place } = this.#shared(body);
    const items = parseItems(body.slice(start));
    const isNew = items.every(({ kind }) => kind === "title");
    let entries: LogEntry[] = [];
    for (const { line } of this.#parts.store.lines(this.#runId, place)) {
      entries.push(...projection.add(line));
      if (!isNew || entries.length < groupSize) continue;
      await write(entries.map(finish));
      entries = [];
    }
    await write(missingEntries(entries.map(finish), items));
    return projection;
  }

  /** Where the last phase that both have begins, in the body and in the journal. */
  #shared(body: string): { start: number; place: number } {
    for (const { origin, start } of projectedPhases(body)) {
      const place = typeof origin === "number" ? this.#parts.placeOf(this.#runId, origin) : undefined;
      // None when a power cut took the event of a phase that it left.
      if (place !== undefined) return { start, place };
    }
    return { start: 0, place: 0 };
  }

  #first(): Started {
    if (this.#started) return this.#started;
    for (const { line } of this.#parts.store.lines(this.#runId)) {
      if (line.type === "workflow.started") return (this.#started = line);
    }
    throw new ClewError("damaged_run", `the journal of run ${this.#runId} does not begin like one`, "clew run list");
  }

  #finish(entry: LogEntry, redact: Redact): Redacted<LogEntry> {
    const { records } = this.#parts;
    return finishEntry(entry, {
      redact,
      // Questions of runs bring their ids along.
      ids: { random: () => "" },
      keep: (text) => records.keep(this.#id!, text),
    });
  }

  /** The run's session, by its name or, when that is another's, by what its frontmatter says. */
  async find(): Promise<string | undefined> {
    const { records } = this.#parts;
    for (let number = 1; number <= namesTried; number++) {
      const id = number === 1 ? this.#runId : `${this.#runId}-${number}`;
      if (records.exists(id) && (await records.read(id)).frontmatter.run === this.#runId) return id;
    }
    return undefined;
  }

  async #create(): Promise<string> {
    const redact = await this.#parts.redact();
    const { at, pinned } = this.#first();
    const { bead, target, base } = pinned;
    const frontmatter = {
      type: "session" as const,
      title: asTitle(bead.title.replaceAll("\0", "")) || bead.id,
      started: at,
      status: "active" as const,
      kind: "run" as const,
      channel: this.#parts.channel,
      bead: bead.id,
      run: this.#runId,
      ...(target !== null && { branch: target }),
      ...(base !== null && { commit: base }),
    };
    return this.#parts.records.create(this.#runId, redactRecord(frontmatter, redact));
  }
}

function frontmatterOf(standing: SessionStanding, { tally }: RecordWriter): Record<string, unknown> {
  const { status } = standing;
  return {
    status,
    resume_point: status === "paused" || status === "failed" ? (tally.phaseId ?? undefined) : undefined,
    ended: "ended" in standing ? standing.ended : undefined,
    error: "error" in standing ? standing.error : undefined,
  };
}

/** The warning for a person: a run does not fail for its record. */
export function cannotBeWritten(runId: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `the session of run ${runId} cannot be written: ${why}; the run has it all, and the session follows later`;
}
