import type { ToolEntry } from "../contract/session.ts";
import type { Item } from "./items.ts";
import { cutToBytes, utf8Length } from "./text.ts";
import { renderToolCall } from "./tool-call.ts";
import { addToList } from "../text/add-to-list.ts";
import { parseJson } from "../text/parse-json.ts";

/**
 * Whole results of tool calls, `results.jsonl`: one line for each result that is longer than its summary. A call is
 * known by its bullet, so that session.md needs no mark, and a bullet that a person changed has no result any more.
 */
export type ResultsByCall = ReadonlyMap<string, readonly string[]>;

/** Bytes of a result that are kept; of a longer one, its head and its tail. */
export const resultLimit = 256 * 1024;
const endLimit = 127 * 1024;

/** The result as it is kept. Cutting what is cut changes nothing. */
export function cutWholeResult(result: string): string {
  const bytes = utf8Length(result);
  if (bytes <= resultLimit) return result;
  const head = cutToBytes(result, endLimit);
  const tail = lastBytes(result, endLimit);
  const missing = bytes - utf8Length(head) - utf8Length(tail);
  return `${head}\n[… ${missing} bytes are missing here …]\n${tail}`;
}

/** The end of a text, within `limit` bytes. */
function lastBytes(text: string, limit: number): string {
  let from = Math.max(0, text.length - limit);
  for (let over = utf8Length(text.slice(from)) - limit; over > 0; over = utf8Length(text.slice(from)) - limit) {
    from += Math.ceil(over / 3);
  }
  const isHalf = (text.charCodeAt(from) & 0xfc00) === 0xdc00;
  return text.slice(isHalf ? from + 1 : from);
}

/** What a summary that is not the whole ends in. */
export function isShortened(item: Item): item is ToolEntry & { result: string } {
  return item.kind === "tool" && item.result !== undefined && item.result.endsWith("…");
}

/** The name of a call: its bullet. */
export function callName(entry: ToolEntry): string {
  return renderToolCall(entry).trimEnd();
}

export function encodeResult(entry: ToolEntry & { result_full: string }): string {
  return encodedResultPieces(callName(entry), entry.result_full).join("");
}

/** How a line begins, for a result that is written as JSON already; `}` and the line end follow it. */
export function encodedResultStart(call: string): string {
  return `{"call":${JSON.stringify(call)},"result":`;
}

/** The same for a caller that has the call's name, in pieces: putting them together copies a long text. */
export function encodedResultPieces(call: string, result: string): string[] {
  return [encodedResultStart(call), JSON.stringify(result), "}\n"];
}

/** Lines that hold nothing readable are left aside: one that a crash tore is the usual reason. */
export function parseResults(text: string): Map<string, string[]> {
  const results = new Map<string, string[]>();
  for (const source of text.split("\n")) {
    const line = readLine(source);
    if (line) addToList(results, line.call, line.result);
  }
  return results;
}

function readLine(source: string): { call: string; result: string } | undefined {
  if (!source.startsWith("{")) return undefined;
  const { call, result } = (parseJson(source) ?? {}) as { call?: unknown; result?: unknown };
  return typeof call === "string" && typeof result === "string" ? { call, result } : undefined;
}

/**
 * The result of one of `total` calls that are written alike, the one at `at`. Undefined when one of them was
 * deleted or its result lost, because nothing tells which.
 */
export function resultAt(results: readonly string[], at: number, total: number): string | undefined {
  if (results.length < total) return undefined;
  if (results.every((each) => each === results[0])) return results[0];
  return results.length === total ? results[at] : undefined;
}

/** The items with the whole results of their calls. */
export function withResults(items: Item[], results: ResultsByCall): Item[] {
  if (results.size === 0) return items;
  const names = items.map((item) => (isShortened(item) ? callName(item) : ""));
  const totals = new Map<string, number>();
  for (const name of names) if (name !== "") totals.set(name, (totals.get(name) ?? 0) + 1);
  const occurrences = new Map<string, number>();
  return items.map((item, index) => {
    const name = names[index]!;
    if (name === "" || item.kind !== "tool") return item;
    const at = occurrences.get(name) ?? 0;
    occurrences.set(name, at + 1);
    const callResults = results.get(name);
    const wholeResult = callResults && resultAt(callResults, at, totals.get(name)!);
    return wholeResult === undefined ? item : { ...item, result_full: wholeResult };
  });
}
