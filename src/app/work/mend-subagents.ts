import type { PhaseOrigin, LogEntry } from "../../contract/session.ts";
import { endStatuses } from "../../contract/session-values.ts";
import type { AgentWrite, Subagent } from "../../engine/agent-recording.ts";
import { parseItems } from "../../session/parse.ts";
import { SubagentRecords } from "../agent/subagent-records.ts";
import type { LogParts } from "../session/log.ts";
import { writeMissing } from "./write-missing.ts";

interface Source {
  /** The session whose agent died. */
  session: string;
  engine: string;
  task: string;
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
  const records = new SubagentRecords({ log, session, task: () => task, origin: () => origin });
  const isAny = writes.some(({ kind }) => kind === "started");
  const known = isAny ? await knownSubagents(log, session, origin.transcript) : new Map<string, string>();
  const own: LogEntry[] = [];
  const found = new Map<string, { id: string; subagent: Subagent; entries: LogEntry[] }>();
  const entriesBy = (call: string | undefined): LogEntry[] =>
    (call === undefined ? undefined : found.get(call)?.entries) ?? own;
  const ends: (AgentWrite & { kind: "ended" })[] = [];
  for (const write of writes) {
    if (write.kind === "ended") ends.push(write);
    else if (write.kind === "entry") entriesBy(write.by).push(stamped(write.entry, source));
    else {
      const { subagent } = write;
      const id = known.get(subagent.call) ?? (await records.open(subagent));
      records.take(subagent, id);
      const opened = { ...origin, call: subagent.call };
      const phase = { kind: "phase" as const, title: "Work", agent: subagent.agent, opened };
      found.set(subagent.call, { id, subagent, entries: [phase] });
      entriesBy(subagent.by).push(records.callout(subagent));
    }
  }
  for (const { id, entries } of found.values()) {
    if (!(await hasEnded(log, id))) await writeMissing(log, id, origin.transcript, entries, origin.at);
  }
  return {
    own,
    async settle() {
      for (const { subagent, summary, isCutOff } of ends) {
        if (!(await hasEnded(log, found.get(subagent.call)!.id))) await records.end(subagent, summary, !isCutOff);
      }
    },
  };
}

async function hasEnded(log: LogParts, id: string): Promise<boolean> {
  const { status } = (await log.sessions.records.read(id)).frontmatter;
  return endStatuses.some((each) => each === status);
}

function stamped(entry: LogEntry, { engine, task }: Source): LogEntry {
  return entry.kind === "tokens" ? { ...entry, engine, task } : entry;
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
