import type { PhaseOrigin } from "../../contract/session.ts";
import type { Subagent } from "../../engine/agent-recording.ts";
import { cutToCodePoints } from "../../session/text.ts";
import type { CheckedEntry, LoggedSubagent } from "../session/entries.ts";
import { endSession, saveSession } from "../session/lifecycle.ts";
import { closeParentLink, logEntries, logEntry, startChild, type LogParts } from "../session/log.ts";

export type PlainEntry = Exclude<CheckedEntry, LoggedSubagent>;

interface Parts {
  log: LogParts;
  /** The session of the agent that they work for. */
  session: string;
  /** The bead that is worked on. */
  task: () => string | undefined;
  /** What phases of subagents follow from. */
  origin: () => PhaseOrigin | undefined;
}

interface Record {
  subagent: Subagent;
  /** Its session; undefined where its work stands inside of its agent's. */
  id: string | undefined;
  /** What is written inside, then. */
  content: string[];
  tokens: number;
}

const maxSummary = 300;

/** The sessions of subagents, linked with that of their agent, or callouts with all their work, as the setting `subagent_mode` says. */
export class SubagentRecords {
  readonly #parts: Parts;
  readonly #records = new Map<string, Record>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A subagent begins. */
  async start(subagent: Subagent): Promise<void> {
    const { log } = this.#parts;
    const { mode } = this;
    const id = mode === "inline" ? undefined : await this.open(subagent);
    if (mode === "link") await logEntry(log, this.#above(subagent), this.callout(subagent));
    if (id === undefined) this.#records.set(subagent.call, { subagent, id, content: [], tokens: 0 });
  }

  get mode(): "inline" | "link" | "embed" {
    return this.#parts.log.sessions.settings.subagent_mode;
  }

  /** Makes its session, without a word in that of its agent. */
  async open(subagent: Subagent): Promise<string> {
    const { log, task, origin } = this.#parts;
    const { agent, title, call } = subagent;
    const opened = origin();
    const id = await startChild(
      log,
      this.#above(subagent),
      { agent, ...(title !== undefined && { title }) },
      { bead: task(), ...(opened && { opened: { ...opened, call } }) },
    );
    this.take(subagent, id);
    return id;
  }

  /** Goes on with a session that is there. */
  take(subagent: Subagent, id: string): void {
    this.#records.set(subagent.call, { subagent, id, content: [], tokens: 0 });
  }

  /** How it stands in the session of its agent, where it has a session of its own. */
  callout({ call, agent }: Subagent): LoggedSubagent & { mode: "link" } {
    const id = this.#records.get(call)?.id;
    return { kind: "subagent", agent, mode: "link", ...(id !== undefined && { session: id }) };
  }

  async write(call: string, entries: PlainEntry[]): Promise<void> {
    const { log } = this.#parts;
    const record = this.#records.get(call);
    if (!record) return;
    if (record.id === undefined) {
      for (const entry of entries) writeInside(record, entry);
      return;
    }
    const { isSaveDue } = await logEntries(log, record.id, entries);
    if (isSaveDue) await saveSession(log.sessions, record.id);
  }

  /** It has come to its end, or its agent was stopped before. */
  async end({ call, agent }: Subagent, said: string | undefined, isWhole: boolean): Promise<void> {
    const { log } = this.#parts;
    const record = this.#records.get(call);
    if (!record) return;
    this.#records.delete(call);
    const { id, subagent } = record;
    const above = this.#above(subagent);
    const summary = cutToCodePoints(log.redact(said?.trim() || (isWhole ? "ended" : "abandoned")), maxSummary);
    if (id === undefined) {
      const { tokens } = record;
      const content = record.content.join("\n\n");
      const work = { ...(content !== "" && { content }), ...(tokens > 0 && { tokens }) };
      await logEntry(log, above, { kind: "subagent", agent, mode: "inline", ...work, summary });
    } else if (isWhole || this.mode === "embed") {
      const mode = this.mode === "embed" ? "embed" : "link";
      await logEntry(log, above, { kind: "subagent", agent, mode, session: id, summary });
    } else {
      await endSession(log.sessions, id, "abandoned");
      await closeParentLink(log, id);
    }
  }

  #above({ by }: Subagent): string {
    return (by === undefined ? undefined : this.#records.get(by)?.id) ?? this.#parts.session;
  }
}

function writeInside(record: Record, entry: PlainEntry): void {
  if (entry.kind === "tokens") record.tokens += entry.tokens;
  if (entry.kind === "text" || entry.kind === "error") record.content.push(entry.text);
  if (entry.kind === "tool") record.content.push(`- ${`${entry.name} ${entry.args}`.trim()}`);
}
