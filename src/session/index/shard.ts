import { heldGroupings, type HeldGroupBy } from "../../contract/session-row.ts";
import { checksum } from "./checksum.ts";
import { compareIds, type IndexEntry, idOfLine, inboxTable, unreadableTable } from "./entry.ts";
import { IdSetCheck } from "./id-set.ts";
import { instantMs } from "./instant.ts";
import { describeShard, type ShardInfo } from "./manifest.ts";
import { readRow, sessionTable, startedOf } from "./row-line.ts";
import { readTable, type TableForm, writeTable } from "./table.ts";
import { Totals, totalsTables } from "./totals.ts";
import { addToList } from "../../text/add-to-list.ts";

/** A shard that was read: its sessions in ascending order, and its head for the totals. */
export interface Shard {
  entries: IndexEntry[];
  head: ShardHead;
}

/** The lines of the tables before the rows. Most questions about all sessions are answered from heads alone. */
export interface ShardHead {
  /** In the order of `heldGroupings`. */
  totals: string[][];
  unreadable: string[];
  inbox: string[];
  /** Where the rows begin. */
  end: number;
}

/**
 * One TOON document: the head, then the rows. `entries` are in ascending order and not empty; `oldShards` are shards that
 * were read, from which the totals can be had by counting only what is different.
 */
export function renderShard(entries: IndexEntry[], oldShards: Shard[]): { info: ShardInfo; bytes: Buffer } {
  const lines = entries.filter((entry) => entry.readable).map((entry) => entry.line);
  const unreadable = entries.filter((entry) => !entry.readable).map((entry) => entry.line);
  const inbox = entries.flatMap((entry) => entry.inbox);
  const totals = totalsOf(entries, oldShards);
  const head = [
    ...heldGroupings.map((by, place) => writeTable(totalsTables[by], totals[place]?.lines() ?? [])),
    writeTable(unreadableTable, unreadable),
    writeTable(inboxTable, inbox),
  ].join("");
  const bytes = Buffer.from(head + writeTable(sessionTable, lines));
  const headBytes = Buffer.byteLength(head);
  const ids = new IdSetCheck();
  for (const entry of entries) ids.add(entry.id);
  const info = describeShard({
    first: (entries[0] as IndexEntry).id,
    last: (entries.at(-1) as IndexEntry).id,
    sessions: lines.length,
    unreadable: unreadable.length,
    inbox: inbox.length,
    idsCheck: ids.fingerprint(),
    newest: newestOf(lines.map(startedOf)),
    headBytes,
    headCheck: checksum(bytes.subarray(0, headBytes)),
    bytes: bytes.length,
    check: checksum(bytes),
  });
  return { info, bytes };
}

/** A save changes one row of many: the totals of the shard it was in, less what is gone, plus what is new. */
function totalsOf(entries: IndexEntry[], oldShards: Shard[]): Totals[] {
  const base = oldShards.find((shard) => overlap(shard.entries, entries));
  const [before, after] = [new Set(base?.entries), new Set(entries)];
  const totals = heldGroupings.map((by) => new Totals(by));
  base?.head.totals.forEach((lines, place) => lines.forEach((line) => totals[place]?.addLine(line)));
  const count = (entry: IndexEntry, times: 1 | -1): void => {
    if (!entry.readable) return;
    const row = readRow(entry.line);
    for (const grouping of totals) grouping.add(row, times);
  };
  for (const entry of before) if (!after.has(entry)) count(entry, -1);
  for (const entry of after) if (!before.has(entry)) count(entry, 1);
  return totals;
}

function overlap(a: IndexEntry[], b: IndexEntry[]): boolean {
  return (
    (a[0] as IndexEntry).id <= (b.at(-1) as IndexEntry).id && (a.at(-1) as IndexEntry).id >= (b[0] as IndexEntry).id
  );
}

/** The text of the latest instant; of several that are equal the first, so that it follows from the rows alone. */
function newestOf(started: string[]): string | null {
  let newest: string | null = null;
  let newestMs = -Infinity;
  for (const text of started) {
    const ms = instantMs(text);
    if (newest !== null && ms <= newestMs) continue;
    newest = text;
    newestMs = ms;
  }
  return newest;
}

export function readShard(text: string): Shard {
  const head = readHead(text);
  const inboxById = new Map<string, string[]>();
  for (const line of head.inbox) addToList(inboxById, idOfLine(line), line);
  const sessions = readTable(sessionTable, text, head.end).lines.map((line) => {
    const id = idOfLine(line);
    return { id, readable: true, line, inbox: inboxById.get(id) ?? [] };
  });
  if (head.unreadable.length === 0) return { entries: sessions, head };
  const unreadable = head.unreadable.map((line) => ({ id: idOfLine(line), readable: false, line, inbox: [] }));
  return { entries: [...sessions, ...unreadable].sort((a, b) => compareIds(a.id, b.id)), head };
}

export function readHead(text: string): ShardHead {
  let at = 0;
  const next = (form: TableForm): string[] => {
    const table = readTable(form, text, at);
    at = table.next;
    return table.lines;
  };
  const totals = heldGroupings.map((by) => next(totalsTables[by]));
  return { totals, unreadable: next(unreadableTable), inbox: next(inboxTable), end: at };
}

/** The lines of one table of totals. */
export function readTotals(text: string, by: HeldGroupBy): string[] {
  const { key } = totalsTables[by];
  const from = text.startsWith(key) ? 0 : text.indexOf(`\n${key}`) + 1;
  return readTable(totalsTables[by], text, from).lines;
}
