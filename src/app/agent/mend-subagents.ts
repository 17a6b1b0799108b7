import type { PhaseOrigin, LogEntry } from "../../contract/session.ts";
import type { SubagentMode } from "../../contract/session-values.ts";
import type { AgentWrite } from "../../engine/agent-recording.ts";
import { parseItems } from "../../session/parse.ts";
import { projectedPhases } from "../session/missing-entries.ts";
import { hasEnded, type LogParts } from "../session/log.ts";
import { SubagentRecords } from "./subagent-records.ts";
import { writeMissing } from "./write-missing.ts";

interface Source {
  /** The session whose agent died. */
  session: string;
  engine: string;
  task: string | undefined;
  /** How they were recorded, where that is known. */
  mode: SubagentMode | undefined;
  origin: PhaseOrigin & { transcript: string };
}

export interface MendedSubagents {
  /** What the session of the agent itself should have, with the callouts of its subagents. */
  own: LogEntry[];
  /** Ends their sessions, once all of that is written: their agent is gone. */
  settle: () => Promise<void>;
}

/** Brings the sessions of subagents up to what a transcript tells. */
export async function mendSubagents(log: LogParts, source: Source, writes: AgentWrite[]): Promise<MendedSubagents> {
  const { session, task, origin } = source;
  const isAny = writes.some(({ kind }) => kind === "started");
  const known = isAny ? await knownSubagents(log, session, origin.transcript) : new Map<string, string>();
  const mode = source.mode ?? (isAny ? await modeInRecord(log, session, origin.transcript) : undefined);
  const records = new SubagentRecords({ log, session, task: () => task, origin: () => origin, known, mode });
  const entries = new Map<string, LogEntry[]>([[session, []]]);
  for (const write of writes) {
    const told = write.kind === "entry" ? { ...write, entry: stamped(write.entry, source) } : write;
    const placed = await records.place(told);
    if (write.kind === "started") {
      const { subagent } = write;
      const opened = { ...origin, call: subagent.call };
      const phase = { kind: "phase" as const, title: "Work", agent: subagent.agent, opened };
      const id = records.sessionOf(subagent);
      if (id !== undefined) entries.set(id, [phase]);
    }
    for (const { session: id, entry } of placed) entries.get(id)?.push(entry);
  }
  const own = entries.get(session)!;
  entries.delete(session);
  for (const [id, its] of entries)
    if (!(await hasEnded(log, id))) await writeMissing(log, id, origin.transcript, its, origin.at);
  return {
    own,
    async settle() {
      for (const write of writes) if (write.kind === "ended") await records.settle(write);
    },
  };
}

function stamped(entry: LogEntry, { engine, task }: Source): LogEntry {
  return entry.kind === "tokens" ? { ...entry, engine, ...(task !== undefined && { task }) } : entry;
}

/** How the subagents that this transcript tells of stand in the record; undefined when none does. */
async function modeInRecord(log: LogParts, session: string, transcript: string): Promise<SubagentMode | undefined> {
  const { text, bodyStart } = await log.sessions.records.read(session);
  const body = text.slice(bodyStart);
  const phase = [...projectedPhases(body)].find(({ origin }) => origin === transcript);
  const items = phase ? parseItems(body.slice(phase.start)) : [];
  return items.findLast((item) => item.kind === "subagent")?.mode;
}

/** The sessions of subagents that this transcript tells of, by the call that started each. */
async function knownSubagents(log: LogParts, session: string, transcript: string): Promise<Map<string, string>> {
  const { projections, records } = log.sessions;
  const found = new Map<string, string>();
  const above = [session];
  for (const parent of above) {
    const rows = await projections.ask((index) => index.newest({ parent, archived: true }, Infinity));
    for (const { session_id: id } of rows) {
      if (!records.exists(id)) continue;
      const { text, bodyStart } = await records.read(id);
      const first = parseItems(text.slice(bodyStart)).find((item) => item.kind === "phase");
      if (first?.mark?.transcript !== transcript || first.mark.call === undefined) continue;
      found.set(first.mark.call, id);
      above.push(id);
    }
  }
  return found;
}
