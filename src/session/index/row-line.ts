import type { SessionRow } from "../../contract/session-row.ts";
import { readCells, writeLine } from "./cell.ts";
import { IndexDamaged } from "./damaged.ts";
import { joinNames, joinShares, splitNames, splitShares } from "./names-cell.ts";
import type { TableForm } from "./table.ts";

/** What is looked at most comes first, so that it can be found without reading the rest; free text comes last. */
const columns = [
  "session_id",
  "started",
  "ended",
  "status",
  "kind",
  "archived",
  "channel",
  "channels",
  "participants",
  "engines",
  "parent",
  "bead",
  "branch",
  "merged",
  "model",
  "tokens_used",
  "used",
  "cost_usd",
  "phases",
  "errors",
  "check",
  "title",
] as const satisfies (keyof SessionRow)[];

export const sessionTable: TableForm = { key: "sessions", fields: columns.join(",") };

export function writeRow(row: SessionRow): string {
  const cells = {
    ...row,
    channels: joinNames(row.channels),
    participants: joinNames(row.participants),
    engines: joinNames(row.engines),
    used: joinShares(row.used),
  };
  return writeLine(columns.map((column) => cells[column]));
}

/** The checksum of the file vouches for the values; only the number of cells is looked at. */
export function readRow(line: string): SessionRow {
  const cells = readCells(line);
  if (cells.length !== columns.length) throw new IndexDamaged(`a session with ${cells.length} cells: ${line}`);
  const text = (column: number): string => cells[column] ?? "";
  const optional = (column: number): string | null => cells[column] ?? null;
  const optionalNumber = (column: number): number | null => (cells[column] == null ? null : Number(cells[column]));
  return {
    session_id: text(0),
    title: text(21),
    status: text(3) as SessionRow["status"],
    started: text(1),
    ended: optional(2),
    channel: optional(6),
    channels: splitNames(text(7)),
    participants: splitNames(text(8)),
    model: optional(14),
    tokens_used: optionalNumber(15),
    used: splitShares(text(16)),
    cost_usd: optionalNumber(17),
    phases: Number(text(18)),
    errors: Number(text(19)),
    kind: text(4) as SessionRow["kind"],
    engines: splitNames(text(9)),
    parent: optional(10),
    bead: optional(11),
    branch: optional(12),
    merged: text(13) === "true",
    archived: text(5) === "true",
    check: text(20),
  };
}

/** `started` alone: the second cell. */
export function startedOf(line: string): string {
  return readCells(line, 2)[1] ?? "";
}
