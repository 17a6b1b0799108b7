import type { InboxItem } from "../../contract/api/inbox.ts";
import type { IndexedItem, SessionRow, UnreadableSession } from "../../contract/session-row.ts";
import { readCells, writeLine } from "./cell.ts";
import { writeRow } from "./row-line.ts";
import type { TableForm } from "./table.ts";

/** What the index holds about one session, as the lines it stands in: most are copied and never looked into. */
export interface IndexEntry {
  id: string;
  readable: boolean;
  /** Its line in the table of sessions or, when it is not readable, of unreadable ones. */
  line: string;
  /** Its lines in the table of what waits for a person. */
  inbox: string[];
}

export const unreadableTable: TableForm = { key: "unreadable", fields: "session_id,path,reason" };
export const inboxTable: TableForm = { key: "inbox", fields: "session_id,id,kind,text,phase,started" };

export function entryOfSession({ row, inbox }: { row: SessionRow; inbox: InboxItem[] }): IndexEntry {
  const id = row.session_id;
  const items = inbox.map((item) => writeLine([id, item.id, item.kind, item.text, item.phase, row.started]));
  return { id, readable: true, line: writeRow(row), inbox: items };
}

export function entryOfUnreadable(session: UnreadableSession): IndexEntry {
  const id = session.session_id;
  return { id, readable: false, line: writeLine([id, session.path, session.reason]), inbox: [] };
}

export function readUnreadable(line: string): UnreadableSession {
  const [id, path, reason] = readCells(line);
  return { session_id: id ?? "", path: path ?? "", reason: reason ?? "" };
}

export function readInboxItem(line: string): IndexedItem {
  const [sessionId, id, kind, text, phase, started] = readCells(line);
  return {
    id: id ?? "",
    session_id: sessionId ?? "",
    kind: kind as InboxItem["kind"],
    text: text ?? "",
    phase: phase ?? "",
    started: started ?? "",
  };
}

/** Every line of every table starts with the session's id. */
export function idOfLine(line: string): string {
  return readCells(line, 1)[0] ?? "";
}

export function sameEntry(a: IndexEntry, b: IndexEntry): boolean {
  return a.readable === b.readable && a.line === b.line && a.inbox.join("\n") === b.inbox.join("\n");
}

/** Ids are compared by code unit everywhere, never by locale. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
