import type { EngineEvent } from "../../contract/engine.ts";
import { ofRedactedParts } from "../../contract/redacted.ts";
import type { Usage } from "../../contract/run.ts";
import type { PhaseOrigin } from "../../contract/session.ts";
import { AgentEntries } from "../../engine/session-entries.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { cutToCodePoints } from "../../session/text.ts";
import { changeSession } from "../session/change.ts";
import type { CheckedEntry, LoggedSubagent } from "../session/entries.ts";
import { appendInAnyState, saveSession } from "../session/lifecycle.ts";
import { logEntries, type LogParts } from "../session/log.ts";

type PlainEntry = Exclude<CheckedEntry, LoggedSubagent>;

/** A session of an engine, as frontmatter names it. */
export interface EngineSession {
  engine: string;
  session: string;
  /** Where the engine worked: most go on only there. */
  folder: string;
  /** The last transcript whose cost the session has counted. */
  transcript?: string;
}

/** Without the traces of binary fractions: a person reads this. */
export function addCost(sum: number, more: number): number {
  return Math.round((sum + more) * 1e6) / 1e6;
}

const maxTitle = 60;

/** Writes a talk into its session: each message of a person begins a phase, what the agent does follows. */
export class ChatRecord {
  readonly id: string;
  readonly #log: LogParts;
  readonly #engine: string;
  readonly #entries = new AgentEntries();
  #queue: PlainEntry[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** What was used up to the last entry of tokens. */
  #countedTokens = 0;
  /** Why something could not be written. Nothing is written from then on. */
  #fault: { error: unknown } | undefined;
  /** Called at once when something cannot be written. */
  onFault = (): void => {};

  constructor(log: LogParts, id: string, engine: string) {
    this.id = id;
    this.#log = log;
    this.#engine = engine;
  }

  addMessage(text: string): void {
    // First redacted, then cut: the beginning of a secret is no secret to the rules.
    const title = cutToCodePoints(this.#log.redact(text).trim().split("\n", 1)[0] ?? "", maxTitle) || "Message";
    const heading = /^summary$/i.test(title) ? `${title} (message)` : title;
    this.#add({ kind: "phase", title: heading, agent: this.#engine }, { kind: "user", text });
  }

  /** A phase for an agent that works by itself, and not for a person's message. */
  beginPhase(title: string, opened?: PhaseOrigin): void {
    const agent = { agent: this.#engine, ...(opened && { opened }) };
    this.#add({ kind: "phase", title: cutToCodePoints(this.#log.redact(title), 200), ...agent });
  }

  addEntry(entry: PlainEntry): void {
    this.#add(entry);
  }

  addEvent(event: EngineEvent): void {
    this.#add(...(this.#entries.add(event) as PlainEntry[]));
  }

  /** A round has ended: the tokens since the one before. */
  addUsage({ input_tokens, output_tokens }: Usage): void {
    const tokens = input_tokens + output_tokens - this.#countedTokens;
    if (tokens <= 0) return;
    this.#countedTokens += tokens;
    const { model } = this.#entries;
    this.#add({ kind: "tokens", tokens, ...(model !== undefined && { model }) });
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

  /** The agent is gone: what it left open, and an error if there was one. */
  end(error: string | undefined): void {
    const left = this.#entries.end() as PlainEntry[];
    this.#add(...left, ...(error === undefined ? [] : [{ kind: "error" as const, text: error }]));
  }

  /** Resolves when all that was added is on disk; rejects when it cannot be. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#fault) throw this.#fault.error;
  }

  /** Notes what the engine calls its session, so that a talk that dies can go on. */
  addEngineSession(engineSession: EngineSession): void {
    this.#enqueue(() => this.#note(engineSession, undefined));
  }

  /** Notes what an agent cost, and in one write that its transcript is counted. */
  addCost(costUsd: number | undefined, engineSession: EngineSession | undefined): void {
    if (costUsd === undefined && engineSession?.transcript === undefined) return;
    this.#enqueue(() => this.#note(engineSession, costUsd));
  }

  async #note(engineSession: EngineSession | undefined, costUsd: number | undefined): Promise<void> {
    const { sessions, redact } = this.#log;
    const { engine_sessions = [], cost_usd = 0 } = (await sessions.records.read(this.id)).frontmatter;
    const known = engine_sessions as Partial<EngineSession>[];
    const others = known.filter(({ session }) => session !== engineSession?.session);
    const before = known.find(({ session }) => session === engineSession?.session);
    const changes = {
      ...(engineSession && { engine_sessions: [...others, { ...before, ...engineSession }] }),
      ...(costUsd !== undefined && { cost_usd: addCost(cost_usd, costUsd) }),
    };
    await changeSession(sessions, this.id, async (record) => {
      await record.set(redactRecord(changes, redact));
      return record.save();
    });
  }

  #add(...entries: PlainEntry[]): void {
    if (entries.length === 0) return;
    this.#queue.push(...entries);
    // Those that come while others are written go together.
    if (this.#queue.length === entries.length) this.#enqueue(() => this.#write());
  }

  #enqueue(work: () => Promise<void>): void {
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

  async #write(): Promise<void> {
    const entries = this.#queue;
    this.#queue = [];
    if (entries.length === 0) return;
    const { isSaveDue } = await logEntries(this.#log, this.id, entries);
    if (isSaveDue) await saveSession(this.#log.sessions, this.id);
  }
}
