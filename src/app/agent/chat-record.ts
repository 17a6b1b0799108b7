import type { EngineEvent } from "../../contract/engine.ts";
import { ofRedactedParts } from "../../contract/redacted.ts";
import type { PhaseOrigin } from "../../contract/session.ts";
import { AgentRecording, type AgentWrite } from "../../engine/agent-recording.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { engineSessionsIn, withEngineSession, type EngineSession } from "../../session/engine-sessions.ts";
import { cutToCodePoints } from "../../session/text.ts";
import { changeSession } from "../session/change.ts";
import { appendInAnyState, saveSession } from "../session/lifecycle.ts";
import { logEntries, type LogParts, type PlainEntry } from "../session/log.ts";
import { CostShares, uncountedCost, withCosts } from "./cost-shares.ts";
import { continuedTitle } from "./mend-talk.ts";
import { SubagentRecords } from "./subagent-records.ts";

const maxTitle = 60;

/** Writes a talk into its session: each message of a person begins a phase, what the agent does follows. */
export class ChatRecord {
  readonly id: string;
  readonly #log: LogParts;
  readonly #engine: string;
  readonly #task: () => string | undefined;
  readonly #recording = new AgentRecording();
  readonly #subagents: SubagentRecords;
  readonly #costs: CostShares;
  /** What the phase of a work session follows from. */
  #origin: PhaseOrigin | undefined;
  /** Entries that are written together; undefined when the next one begins others. */
  #batch: { entries: PlainEntry[] } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isBegun = false;
  /** Messages that came before the agent started; undefined once it has. */
  #early: string[] | undefined;
  /** The task when tokens were used last. */
  #taskAtUse: string | undefined;
  /** Why something could not be written. Nothing is written from then on. */
  #fault: { error: unknown } | undefined;
  /** Called at once when something cannot be written. */
  onFault = (): void => {};

  /** `task` is the bead that the agent works on now. */
  constructor(log: LogParts, id: string, engine: string, task: () => string | undefined = () => undefined) {
    this.id = id;
    this.#log = log;
    this.#engine = engine;
    this.#task = task;
    this.#costs = new CostShares(engine);
    this.#subagents = new SubagentRecords({ log, session: id, task, origin: () => this.#origin });
  }

  /** The first message, or none when the agent just goes on. Further ones that came before it stand behind it. */
  begin(message: string | null, opened?: PhaseOrigin): void {
    this.#origin = opened;
    const early = this.#early ?? [];
    this.#early = undefined;
    if (message === null) this.beginPhase(continuedTitle, opened);
    else this.addMessage(message, opened);
    for (const text of early) this.addMessage(text);
  }

  /** `opened`: what the phase follows from. */
  addMessage(text: string, opened?: PhaseOrigin): void {
    if (this.#early) return void this.#early.push(text);
    // First redacted, then cut: the beginning of a secret is no secret to the rules.
    const title = cutToCodePoints(this.#log.redact(text).trim().split("\n", 1)[0] ?? "", maxTitle) || "Message";
    const heading = /^summary$/i.test(title) ? `${title} (message)` : title;
    this.#add(
      { kind: "phase", title: heading, agent: this.#engine, ...(opened && { opened }) },
      { kind: "user", text },
    );
  }

  /** Messages wait until `begin`. */
  awaitStart(): void {
    this.#early = [];
  }

  /** A phase for an agent that works by itself, and not for a person's message. */
  beginPhase(title: string, opened?: PhaseOrigin): void {
    this.#origin = opened;
    const agent = { agent: this.#engine, ...(opened && { opened }) };
    this.#add({ kind: "phase", title: cutToCodePoints(this.#log.redact(title), 200), ...agent });
  }

  addEntry(entry: PlainEntry): void {
    this.#add(entry);
  }

  addEvent(event: EngineEvent): void {
    // An agent may take up its next task by a call, before the tokens of that round are told.
    if (event.type === "usage") this.#taskAtUse = this.#task();
    for (const write of this.#recording.add(event)) this.#take(write);
  }

  /** What the agent cost so far, once that is known: what is new of it belongs to the tasks since. */
  addCost(totalUsd: number | undefined): void {
    const costs = totalUsd === undefined ? [] : this.#costs.take(totalUsd);
    if (!this.#batch || costs.length === 0) return this.#add(...costs);
    this.#batch.entries = withCosts(this.#batch.entries, costs);
  }

  /** Asks a person; returns the id of the question in the inbox. */
  async ask(text: string): Promise<string> {
    await this.written();
    const { logged } = await logEntries(this.#log, this.id, [{ kind: "approval_required", text }]);
    return logged[0]!.id!;
  }

  /** A person has answered elsewhere: the question leaves the inbox. */
  answer(questionId: string, text: string): Promise<void> {
    const redacted = this.#log.redact(text);
    return appendInAnyState(this.#log.sessions, this.id, [
      ofRedactedParts({ kind: "answer", id: questionId, text: redacted }),
    ]);
  }

  /** The agent is gone: what it left open, what it cost, and an error if there was one. */
  end({ error, costUsd, isWhole }: { error: string | undefined; costUsd: number | undefined; isWhole: boolean }): void {
    for (const write of this.#recording.end()) this.#take(write, isWhole);
    this.addCost(costUsd);
    if (error !== undefined) this.#add({ kind: "error", text: error });
  }

  /** Resolves when all that was added is on disk; rejects when it cannot be. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#fault) throw this.#fault.error;
  }

  /** Notes what the engine calls its session, so that a talk that dies can go on. */
  addEngineSession(engineSession: EngineSession): void {
    this.#enqueue(() => this.#note(engineSession));
  }

  async #note(engineSession: EngineSession): Promise<void> {
    const { sessions, redact } = this.#log;
    const known = engineSessionsIn((await sessions.records.read(this.id)).frontmatter);
    const changes = { engine_sessions: withEngineSession(known, engineSession) };
    await changeSession(sessions, this.id, async (record) => {
      await record.set(redactRecord(changes, redact));
      return record.save();
    });
  }

  /** `isWhole`: the agent came to its end by itself. */
  #take(write: AgentWrite, isWhole = false): void {
    if (write.kind !== "entry") return this.#enqueue(() => this.#subagents.write(write, isWhole));
    const entry = this.#stamped(write.entry as PlainEntry);
    if (write.by === undefined) this.#add(entry);
    else this.#enqueue(() => this.#subagents.write({ ...write, entry }));
  }

  /** With what only this moment knows. */
  #stamped(entry: PlainEntry): PlainEntry {
    if (entry.kind === "remark") return { ...entry, at: new Date(this.#log.sessions.clock.now()).toISOString() };
    if (entry.kind !== "tokens") return entry;
    const task = this.#taskAtUse;
    this.#costs.used(task, entry.tokens);
    return { ...entry, engine: this.#engine, ...(task !== undefined && { task }) };
  }

  #add(...entries: PlainEntry[]): void {
    if (entries.length === 0) return;
    if (!this.#batch) {
      const batch = { entries: [] };
      this.#enqueue(() => this.#write(batch));
      this.#batch = batch;
    }
    // Those that come while others are written go together.
    this.#batch.entries.push(...entries);
  }

  #enqueue(work: () => Promise<void>): void {
    // What comes later stands behind it.
    this.#batch = undefined;
    const before = this.#writing;
    this.#writing = this.#after(before, work);
  }

  /** Never rejects: what goes wrong is kept. */
  async #after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    if (this.#fault) return;
    try {
      await work();
    } catch (error) {
      this.#fault = { error };
      this.onFault();
    }
  }

  async #write(batch: { entries: PlainEntry[] }): Promise<void> {
    if (this.#batch === batch) this.#batch = undefined;
    // Before this agent's engine is among those of the session.
    const before = this.#isBegun ? [] : await uncountedCost(this.#log.sessions, this.id);
    this.#isBegun = true;
    const { isSaveDue } = await logEntries(this.#log, this.id, [...before, ...batch.entries]);
    if (isSaveDue) await saveSession(this.#log.sessions, this.id);
  }
}
