import type { LiveEntry } from "./reconcile.ts";
import { parseJson } from "../text/parse-json.ts";
import { isObject } from "../text/is-object.ts";

/**
 * The write-ahead copy of a session, `live/ID.jsonl`: one line per entry, synced before the entry is acknowledged.
 * The first line says what the file looked like before the first entry, so that it can be made again.
 */
export interface LiveBase {
  session: string;
  /** session.md as it was then: frontmatter and title, when the session began with this copy. */
  head: string;
  /** Instead, in copies that earlier versions began: the name that git had for that text. */
  blob?: string;
}

/** Old and new value of each frontmatter key that a command changed; null where there was or is none. */
export type LiveSet = Record<string, [before: unknown, after: unknown]>;

export type LiveLine =
  | ({ base: LiveBase } & { n: 0 })
  | { n: number; text: string }
  | { n: number; set: LiveSet }
  | { n: number; amends: number; text: string }
  /** The line before this one was torn by a crash, and closed. */
  | { n: number; torn: true }
  /** session.md ended in the middle of a line and was closed at this size. */
  | { n: number; closed: number };

export interface Live {
  base: LiveBase | undefined;
  entries: LiveEntry[];
  sets: LiveSet[];
  lastN: number;
  /** The file ends in the middle of a line. */
  torn: boolean;
  /** Numbers of lines that hold nothing readable, torn ones left aside. */
  unreadable: number[];
}

export function encodeLiveLine(line: LiveLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** The same for an entry, in half the time: most lines are these. */
export function encodeEntry(n: number, text: string): string {
  return `{"n":${n},"text":${JSON.stringify(text)}}\n`;
}

export function parseLive(text: string): Live {
  const live: Live = {
    base: undefined,
    entries: [],
    sets: [],
    lastN: 0,
    torn: !text.endsWith("\n") && text !== "",
    unreadable: [],
  };
  const byNumber = new Map<number, LiveEntry>();
  const lines = text.split("\n");
  lines.pop();
  lines.forEach((source, index) => {
    // Even if only its end was missing: it did not count when it was found so, and may have been logged again since.
    if (tornLine.test(lines[index + 1] ?? "")) return;
    const line = readLine(source);
    if (!line) {
      live.unreadable.push(index + 1);
      return;
    }
    live.lastN = Math.max(live.lastN, line.n);
    if ("base" in line) live.base = line.base;
    else if ("set" in line) live.sets.push(line.set);
    else if ("amends" in line) {
      const entry = byNumber.get(line.amends);
      if (entry?.amended !== undefined) (entry.between ??= []).push(entry.amended);
      if (entry) entry.amended = line.text;
    } else if ("text" in line) {
      const entry = { n: line.n, text: line.text };
      byNumber.set(line.n, entry);
      live.entries.push(entry);
    }
  });
  return live;
}

const tornLine = /^\{"n":\d+,"torn":true\}$/;

function readLine(source: string): LiveLine | undefined {
  const line = parseJson(source);
  return isObject(line) && typeof line["n"] === "number" && isWellFormed(line)
    ? (line as unknown as LiveLine)
    : undefined;
}

/** Whether each part is of its kind: the file may have been harmed in any way. */
function isWellFormed(line: { base?: unknown; set?: unknown; amends?: unknown; text?: unknown }): boolean {
  const isText = (value: unknown): boolean => typeof value === "string";
  if ("base" in line) {
    const base = line.base as Partial<LiveBase> | null;
    return isText(base?.session) && isText(base?.head) && (base?.blob === undefined || isText(base.blob));
  }
  if ("set" in line) {
    const isSet = typeof line.set === "object" && line.set !== null;
    return isSet && Object.values(line.set as object).every((each) => Array.isArray(each) && each.length === 2);
  }
  if ("amends" in line && typeof line.amends !== "number") return false;
  return "text" in line ? isText(line.text) : true;
}

/**
 * Frontmatter values that a command set and the file no longer shows. A value is brought back only while the file shows
 * one that an earlier command or the start had put there: anything else is a person's own edit.
 */
export function settingsToRestore(sets: LiveSet[], values: Record<string, unknown>): Record<string, unknown> {
  const chains = new Map<string, string[]>();
  const last: Record<string, unknown> = {};
  for (const set of sets) {
    for (const [key, [before, after]] of Object.entries(set)) {
      const chain = chains.get(key) ?? [];
      chain.push(JSON.stringify(before ?? null));
      chains.set(key, chain);
      last[key] = after ?? undefined;
    }
  }
  const restored: Record<string, unknown> = {};
  for (const [key, chain] of chains) {
    const current = JSON.stringify(values[key] ?? null);
    if (current !== JSON.stringify(last[key] ?? null) && chain.includes(current)) restored[key] = last[key];
  }
  return restored;
}
