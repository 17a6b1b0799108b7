import type { Redacted } from "../../contract/redacted.ts";
import type { LogEntry } from "../../contract/session.ts";
import { parseItems } from "../../session/parse.ts";
import { changeSession } from "../session/change.ts";
import { finishEntry } from "../session/entries.ts";
import type { LogParts } from "../session/log.ts";
import { missingEntries, projectedPhases } from "../session/missing-entries.ts";

/** Writes those of an agent's entries that its session lacks. They begin with the phase that follows from the transcript. */
export async function writeMissing(
  log: LogParts,
  id: string,
  transcript: string,
  entries: LogEntry[],
  at: string,
): Promise<void> {
  const finished = finish(log, id, entries);
  await changeSession(log.sessions, id, async (record) => {
    const body = await record.body();
    const phase = [...projectedPhases(body)].find(({ origin }) => origin === transcript);
    // Without its phase nothing of it is there.
    const missing = missingEntries(finished, phase ? parseItems(body.slice(phase.start)) : []);
    if (missing.length > 0) await record.append(missing, { at });
    return record.save();
  });
}

/** Writes entries into a session in whatever state. */
export async function writeEntries(log: LogParts, id: string, entries: LogEntry[]): Promise<void> {
  const finished = finish(log, id, entries);
  await changeSession(log.sessions, id, async (record) => {
    await record.append(finished, { at: new Date(log.sessions.clock.now()).toISOString() });
    return record.save();
  });
}

function finish({ sessions, redact, ids }: LogParts, id: string, entries: LogEntry[]): Redacted<LogEntry>[] {
  const keep = (text: Redacted<string>): string => sessions.records.keep(id, text);
  return entries.map((entry) => finishEntry(entry, { redact, ids, keep }));
}
