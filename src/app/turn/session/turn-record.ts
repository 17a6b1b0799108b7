import type { Redacted } from "../../../contract/redacted.ts";
import type { LogEntry } from "../../../contract/session.ts";
import type { TurnLine } from "../../../contract/turn.ts";
import { redactRecord } from "../../../redact/redact-record.ts";
import { engineSessionsIn, withEngineSession, type EngineSession } from "../../../session/engine-sessions.ts";
import { parseItems } from "../../../session/parse.ts";
import { readContextLog } from "../../../turn/log/context-log.ts";
import { changeSession } from "../../session/change.ts";
import { finishEntry } from "../../session/entries.ts";
import { missingEntries, projectedPhases } from "../../session/missing-entries.ts";
import type { SessionParts } from "../../session/parts.ts";
import type { TurnStore } from "../ports.ts";
import { planOf, reportOf, titleOf, turnText } from "../read-turn.ts";
import { entriesOfLine, type TurnContents } from "./turn-entries.ts";

export interface RecordParts {
  store: Pick<TurnStore, "lines" | "read">;
  sessions: SessionParts;
}

/** Writes into session.md what the lines of its turns tell and it lacks. Can be repeated; a paused session goes on by it. */
export async function projectTurns(parts: RecordParts, session: string): Promise<void> {
  const { sessions, store } = parts;
  const lines = store.lines(session);
  if (lines.length === 0) return;
  const redact = await sessions.redact();
  const finish = (entry: LogEntry): Redacted<LogEntry> =>
    finishEntry(entry, { redact, ids: { random: () => "" }, keep: (text) => sessions.records.keep(session, text) });
  await changeSession(sessions, session, async (record) => {
    const body = await record.body();
    const { start, number } = sharedPart(body, lines.length);
    // What was removed since cannot be compared: it counts as written, as far as it is there.
    const isGone = number > 0 && lacksSources(store, session, lines[number - 1]!);
    const entries = await entriesFrom(parts, session, lines, isGone ? number : Math.max(0, number - 1));
    const missing = missingEntries(entries.map(finish), isGone ? [] : parseItems(body.slice(start)));
    if (missing.length === 0) return undefined;
    await record.append(missing, { at: lines.at(-1)!.at, commit: sessions.surroundings.headCommit() });
    const cost = costOf(lines);
    const isPaused = record.glance.status === "paused";
    const changes = {
      ...(cost !== undefined && { cost_usd: cost }),
      ...(isPaused && { status: "active", resume_point: undefined, paused: undefined }),
    };
    if (Object.keys(changes).length > 0) await record.set(redactRecord(changes, redact));
    return record.save();
  });
}

/** Whether a plan was given up by removing what its entries follow from. */
function lacksSources(store: RecordParts["store"], session: string, { type, turn }: TurnLine): boolean {
  return type === "planned" && ["plan.md", "_context.log"].some((file) => !store.read(session, turn, file));
}

/** Whether session.md has a phase for the last line: then nothing but its last entries may be missing. */
export function isProjected(body: string, lines: readonly TurnLine[]): boolean {
  return sharedPart(body, lines.length).number === lines.length;
}

/** Where the last phase begins that follows from a line, and the line's number; 0 when there is none. */
function sharedPart(body: string, lineCount: number): { start: number; number: number } {
  for (const { origin, start } of projectedPhases(body)) {
    if (typeof origin === "number" && origin >= 1 && origin <= lineCount) return { start, number: origin };
  }
  return { start: 0, number: 0 };
}

async function entriesFrom(
  { store }: Pick<RecordParts, "store">,
  session: string,
  lines: readonly TurnLine[],
  first: number,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (const [at, line] of lines.entries()) {
    if (at < first) continue;
    entries.push(...entriesOfLine(line, at + 1, await contentsOf(store, session, line)));
  }
  return entries;
}

async function contentsOf(store: RecordParts["store"], session: string, line: TurnLine): Promise<TurnContents> {
  const { turn, type } = line;
  const plan = type === "planned" || type === "executed" ? turnText(store, session, turn, "plan.md") : undefined;
  const log = type === "planned" ? turnText(store, session, turn, "_context.log") : undefined;
  return {
    title: plan === undefined ? undefined : titleOf(plan),
    message: log === undefined ? undefined : readContextLog(log)?.message,
    rationale: type === "planned" ? (await planOf(store, session, turn))?.rationale : undefined,
    report: type === "executed" ? await reportOf(store, session, turn) : undefined,
  };
}

/** What all plans cost, as far as it is known. */
function costOf(lines: readonly TurnLine[]): number | undefined {
  const costs = lines.flatMap((line) =>
    line.type === "planned" && line.cost_usd !== undefined ? [line.cost_usd] : [],
  );
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Names an engine session in the frontmatter, so that no import takes it for work that is not recorded. */
export async function addEngineSession(
  { sessions }: Pick<RecordParts, "sessions">,
  session: string,
  added: EngineSession,
): Promise<void> {
  const redact = await sessions.redact();
  const known = engineSessionsIn((await sessions.records.read(session)).frontmatter);
  const engine_sessions = withEngineSession(known, added);
  await sessions.records.change(session, (record) => record.set(redactRecord({ engine_sessions }, redact)));
}
