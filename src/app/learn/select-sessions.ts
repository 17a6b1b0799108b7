import type { CaseMetadata, CaseSelection } from "../../contract/api/learn.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { bringIndexUpToDate, sinceInstant } from "../session/list.ts";
import type { LearnParts } from "./ports.ts";

/** The ids of the sessions that are meant, oldest first. Named ones are taken as they are named, each once. */
export async function selectSessions({ sessions, find }: LearnParts, selection: CaseSelection): Promise<string[]> {
  const { sessions: names, since, agent, outcome, model, engine } = selection;
  await bringIndexUpToDate(sessions);
  if (names !== undefined && names.length > 0) {
    const ids = [];
    for (const name of names) ids.push(await find(name));
    return [...new Set(ids)];
  }
  const filter = {
    agent: agent?.replace(/^@/, ""),
    status: outcome,
    since: since === undefined ? undefined : sinceInstant(since, sessions.clock.now()),
  };
  const isMeant = (row: SessionRow): boolean =>
    (engine === undefined || row.engines.includes(engine)) && (model === undefined || row.model === model);
  return sessions.projections.ask((index) =>
    index
      .newest(filter, Infinity)
      .filter(isMeant)
      .map(({ session_id }) => session_id)
      .toReversed(),
  );
}

/** Whether a case itself is meant: a session may have had several agents, models and engines. */
export function isMeantCase(metadata: CaseMetadata, { agent, model, engine, tag, outcome }: CaseSelection): boolean {
  const wantedAgent = agent?.replace(/^@/, "");
  const isAgent = metadata.agent === wantedAgent || metadata.agent?.split("@")[0] === wantedAgent;
  return (
    (wantedAgent === undefined || isAgent) &&
    (model === undefined || metadata.model === model) &&
    (engine === undefined || metadata.engine === engine) &&
    (outcome === undefined || metadata.outcome === outcome) &&
    (tag === undefined || metadata.tags.includes(tag))
  );
}
