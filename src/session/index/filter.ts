import type { RowFilter, RowPlace, SessionRow } from "../../contract/session-row.ts";
import { escapeText, writeCell } from "./cell.ts";
import { compareIds } from "./entry.ts";
import { instantMs } from "./instant.ts";
import { writeName } from "./names-cell.ts";

export function matches(row: SessionRow, filter: RowFilter): boolean {
  return (
    (filter.archived || !row.archived) &&
    (filter.status === undefined || row.status === filter.status) &&
    (filter.kind === undefined || row.kind === filter.kind) &&
    (filter.parent === undefined || row.parent === filter.parent) &&
    (filter.channel === undefined || row.channels.includes(filter.channel)) &&
    (filter.agent === undefined || hasAgent(row.participants, filter.agent)) &&
    (filter.since === undefined || instantMs(row.started) >= instantMs(filter.since)) &&
    (filter.after === undefined || newestRowFirst(filter.after, rowPlace(row)) < 0)
  );
}

export function rowPlace({ started, session_id }: Pick<SessionRow, "started" | "session_id">): RowPlace {
  return { startedMs: instantMs(started), session_id };
}

/** The order of lists. */
export function newestRowFirst(a: RowPlace, b: RowPlace): number {
  return a.startedMs === b.startedMs ? compareIds(b.session_id, a.session_id) : b.startedMs - a.startedMs;
}

function hasAgent(participants: string[], agent: string): boolean {
  return participants.some((participant) => isAgent(participant, agent));
}

/** `name` stands for all versions of an agent, `name@version` for one. A name may itself start with an at sign. */
export function isAgent(participant: string, agent: string): boolean {
  const at = participant.lastIndexOf("@");
  return participant === agent || (at > 0 && participant.slice(0, at) === agent);
}

/**
 * Bytes that the line of every matching session holds, to find candidates without reading the others. The filter that
 * tends to leave the fewest comes first.
 */
export function needleOf(filter: RowFilter): string | undefined {
  if (filter.parent !== undefined) return `,${writeCell(filter.parent)},`;
  if (filter.agent !== undefined) return escapeText(writeName(filter.agent));
  if (filter.channel !== undefined) return escapeText(writeName(filter.channel));
  if (filter.status !== undefined) return `,${writeCell(filter.status)},`;
  if (filter.kind !== undefined) return `,${writeCell(filter.kind)},`;
  return undefined;
}
