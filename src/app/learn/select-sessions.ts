import type { CaseMetadata, CaseSelection, ExcludedCase } from "../../contract/api/learn.ts";
import type { RowFilter, SessionRow } from "../../contract/session-row.ts";
import { metadataAt } from "../../learn/cases/metadata.ts";
import type { PlacedSession } from "../../learn/cases/placed-session.ts";
import { isAgent, matches } from "../../session/index/filter.ts";
import { toIndexFilter, bringIndexUpToDate } from "../session/list.ts";
import type { LearnParts } from "./ports.ts";

// All that a selection says is decided here: which sessions are read, and what in them is meant.

interface SelectedSessions {
  ids: string[];
  /** Those that were named, and that another part of the selection leaves out. */
  filtered: ExcludedCase[];
}

/** The sessions that are meant: all of them, oldest first, or those that are named, each once, in that order. */
export async function selectSessions(
  { sessions, find }: LearnParts,
  { sessions: names = [], since, agent, outcome, engine }: CaseSelection,
): Promise<SelectedSessions> {
  const filter: RowFilter = toIndexFilter({ since, agent, status: outcome }, sessions.clock.now());
  const hasEngine = ({ engines }: SessionRow): boolean => engine === undefined || engines.includes(engine);
  await bringIndexUpToDate(sessions);
  if (names.length === 0) {
    const rows = await sessions.projections.ask((index) => index.newest(filter, Infinity));
    const ids = rows.filter(hasEngine).map(({ session_id }) => session_id);
    return { ids: ids.toReversed(), filtered: [] };
  }
  const named = new Set<string>();
  for (const name of names) named.add(await find(name));
  const ids: string[] = [];
  const filtered: ExcludedCase[] = [];
  for (const id of named) {
    const row = await sessions.projections.ask((index) => index.get(id));
    // What has no row cannot be read, which is told when it is tried.
    if (row === undefined || (hasEngine(row) && matches(row, { ...filter, archived: true }))) ids.push(id);
    else filtered.push(filteredSession(id));
  }
  return { ids, filtered };
}

export function filteredSession(session: string): ExcludedCase {
  return { session, line: null, type: null, reason: "filtered", text: "" };
}

/** Whether what stands at an entry is meant: a session may have had several agents, models and engines. */
export function entryFilter(selection: CaseSelection): ((session: PlacedSession, at: number) => boolean) | undefined {
  const { agent, model, engine, tag, outcome } = selection;
  if ([agent, model, engine, tag, outcome].every((each) => each === undefined)) return undefined;
  return (session, at) => matchesSelection(metadataAt(session, at, []), selection);
}

function matchesSelection(metadata: CaseMetadata, { agent, model, engine, tag, outcome }: CaseSelection): boolean {
  return (
    (agent === undefined || (metadata.agent !== null && isAgent(metadata.agent, agent.replace(/^@/, "")))) &&
    (model === undefined || metadata.model === model) &&
    (engine === undefined || metadata.engine === engine) &&
    (outcome === undefined || metadata.outcome === outcome) &&
    (tag === undefined || metadata.tags.includes(tag))
  );
}
