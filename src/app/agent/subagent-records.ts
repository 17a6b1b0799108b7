import type { LogEntry, PhaseOrigin } from "../../contract/session.ts";
import type { SubagentMode } from "../../contract/session-values.ts";
import type { AgentWrite, Subagent } from "../../engine/agent-recording.ts";
import { cutToCodePoints, maxSummaryChars } from "../../session/text.ts";
import type { SubagentCallout } from "../session/entries.ts";
import { endSession, saveSession } from "../session/lifecycle.ts";
import { closeParentLink, hasEnded, logEntries, startChild, type LogParts, type PlainEntry } from "../session/log.ts";

interface Parts {
  log: LogParts;
  /** The session of the agent that they work for. */
  session: string;
  /** The bead that is worked on. */
  task: () => string | undefined;
  /** What phases of subagents follow from. */
  origin: () => PhaseOrigin | undefined;
  /** Sessions that are there already, by the call that started each. */
  known?: ReadonlyMap<string, string>;
  /** How they are recorded; as the setting says without it. */
  mode?: SubagentMode | undefined;
}

interface SubagentRecord {
  /** Its session; undefined where its work stands inside of its agent's. */
  id: string | undefined;
  /** Whether that one shows its session whole. */
  isEmbedded: boolean;
  /** What is written inside, then. */
  content: string[];
  tokens: number;
  /** Undefined while no tokens name it. */
  model: string | undefined;
}

/** An entry, and the session that it belongs to. */
export interface PlacedEntry {
  session: string;
  entry: PlainEntry;
}

/** The sessions of subagents, linked with that of their agent, or callouts with all their work, as `subagent_mode` says. */
export class SubagentRecords {
  readonly #parts: Parts;
  readonly #records = new Map<string, SubagentRecord>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Writes what comes of a write. `isWhole`: the agent came to its end by itself, and so did its subagents. */
  async write(write: AgentWrite, isWhole = false): Promise<void> {
    const { log } = this.#parts;
    const end = isWhole && write.kind === "ended" ? { ...write, isCutOff: false } : write;
    for (const { session, entry } of await this.place(end)) {
      if (entry.kind === "task_complete" && (await hasEnded(log, session))) continue;
      const { isSaveDue } = await logEntries(log, session, [entry]);
      if (isSaveDue) await saveSession(log.sessions, session);
    }
    if (end.kind === "ended") await this.settle(end);
  }

  /** The entries that a write comes to, and where they belong. The session of a subagent that begins is made. */
  async place(write: AgentWrite): Promise<PlacedEntry[]> {
    if (write.kind === "started") return this.#begin(write.subagent);
    if (write.kind === "ended") return this.#end(write);
    const entry = write.entry as PlainEntry;
    if (write.by === undefined) return [{ session: this.#parts.session, entry }];
    const record = this.#records.get(write.by);
    if (!record) return [];
    if (entry.kind === "tokens") {
      record.tokens += entry.tokens;
      record.model ??= entry.model;
    }
    if (record.id !== undefined) return [{ session: record.id, entry }];
    writeInside(record, entry);
    return [];
  }

  /** Ends the session of a subagent, once its entries are written, and tells that of its agent. May be repeated after a crash. */
  async settle({ subagent, isCutOff }: AgentWrite & { kind: "ended" }): Promise<void> {
    const { log } = this.#parts;
    const id = this.sessionOf(subagent);
    this.#records.delete(subagent.call);
    if (id === undefined) return;
    if (!(await hasEnded(log, id))) await endSession(log.sessions, id, isCutOff ? "abandoned" : "completed");
    await closeParentLink(log, id);
  }

  sessionOf({ call }: Subagent): string | undefined {
    return this.#records.get(call)?.id;
  }

  async #begin(subagent: Subagent): Promise<PlacedEntry[]> {
    const { known, log, mode = log.sessions.settings.subagent_mode } = this.#parts;
    const { call, agent } = subagent;
    const id = known?.get(call) ?? (mode === "inline" ? undefined : await this.#open(subagent));
    const isEmbedded = mode === "embed";
    this.#records.set(call, { id, isEmbedded, content: [], tokens: 0, model: undefined });
    if (id === undefined || isEmbedded) return [];
    return [this.#callout(subagent, { kind: "subagent", agent, mode: "link", session: id })];
  }

  #open(subagent: Subagent): Promise<string> {
    const { log, task, origin } = this.#parts;
    const { agent, title, call } = subagent;
    const opened = origin();
    return startChild(
      log,
      this.#above(subagent),
      { agent, ...(title !== undefined && { title }) },
      { bead: task(), ...(opened && { opened: { ...opened, call } }) },
    );
  }

  /** A linked one has its callout since it began; `settle` writes its summary there. */
  #end({ subagent, summary: said, isCutOff }: AgentWrite & { kind: "ended" }): PlacedEntry[] {
    const record = this.#records.get(subagent.call);
    if (!record) return [];
    const { id, isEmbedded, tokens, model } = record;
    const text = isCutOff ? "abandoned" : said?.trim() || "ended";
    const summary = cutToCodePoints(this.#parts.log.redact(text), maxSummaryChars);
    const figures = { ...(model !== undefined && { model }), ...(tokens > 0 && { tokens }) };
    const work = { kind: "subagent" as const, agent: subagent.agent, ...figures, summary };
    if (id === undefined) {
      const content = record.content.join("\n\n");
      return [this.#callout(subagent, { ...work, mode: "inline", ...(content !== "" && { content }) })];
    }
    return [
      ...(isEmbedded ? [this.#callout(subagent, { ...work, mode: "embed", session: id })] : []),
      ...(isCutOff ? [] : [{ session: id, entry: { kind: "task_complete" as const, text: summary } }]),
    ];
  }

  #callout(subagent: Subagent, entry: SubagentCallout): PlacedEntry {
    return { session: this.#above(subagent), entry };
  }

  #above({ by }: Subagent): string {
    return (by === undefined ? undefined : this.#records.get(by)?.id) ?? this.#parts.session;
  }
}

function writeInside(record: SubagentRecord, entry: LogEntry): void {
  if (entry.kind === "text" || entry.kind === "error") record.content.push(entry.text);
  if (entry.kind === "tool") record.content.push(`- ${`${entry.name} ${entry.args}`.trim()}`);
}
