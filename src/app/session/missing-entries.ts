import type { LogEntry } from "../../contract/session.ts";
import type { Item } from "../../session/items.ts";
import { renderItem } from "../../session/render.ts";

/** A phase of a body that follows from an event of a journal, or from a transcript. */
export interface ProjectedPhase {
  /** The number of the event, or the name of the transcript. */
  origin: number | string;
  /** Where its heading begins. */
  start: number;
}

/** From the last to the first, so that the rest of a long body need not be read. */
export function* projectedPhases(body: string): Generator<ProjectedPhase> {
  const beginning = '\n<!-- clew {"id":';
  for (let at = body.lastIndexOf(beginning); at >= 0; at = at === 0 ? -1 : body.lastIndexOf(beginning, at - 1)) {
    const comment = body.slice(at, body.indexOf("\n", at + 1));
    const [, journal, transcript] = /,"(?:journal":(\d+)|transcript":"([\w.-]+)")\} -->\s*$/.exec(comment) ?? [];
    const origin = journal === undefined ? transcript : Number(journal);
    const start = body.lastIndexOf("\n", at - 1) + 1;
    if (origin !== undefined && body.startsWith("## ", start)) yield { origin, start };
  }
}

/**
 * Those of the entries that do not stand among the items. Which are missing behind the last one that is there have to
 * be written; which are missing before it were deleted by a person and stay so. Other items (a person's notes, what an
 * agent logged by itself) change nothing.
 */
export function missingEntries<T extends LogEntry>(entries: T[], items: Item[]): T[] {
  const places = new Map<string, number[]>();
  for (const [at, entry] of entries.entries()) {
    const key = keyOf(entry);
    const positions = places.get(key);
    if (positions) positions.push(at);
    else places.set(key, [at]);
  }
  let next = 0;
  for (const item of items) {
    // Where equal entries leave a choice, the first is the one that loses nothing.
    const at = firstFrom(places.get(keyOf(item)) ?? [], next);
    if (at !== undefined) next = at + 1;
  }
  return entries.slice(next);
}

/** The first place at or after `from`; `places` ascend, and those passed are dropped for good. */
function firstFrom(places: number[], from: number): number | undefined {
  while (places.length > 0 && places[0]! < from) places.shift();
  return places[0];
}

/**
 * Two that are written alike are the same. A phase is known by what it follows from, whatever its title is now, and a
 * question by its id, which follows from its event: earlier versions asked in other words.
 */
function keyOf(item: LogEntry | Item): string {
  if ((item.kind === "decision_needed" || item.kind === "approval_required") && item.id !== undefined) {
    return `${item.kind} ${item.id}`;
  }
  // What it cost, and for which task, a live driver knows better.
  if (item.kind === "tokens") return `tokens ${item.tokens} ${item.model}`;
  if (item.kind === "subagent") {
    // One inside is known by its work: whether it was cut off, a live driver knows better.
    const { summary: _, ...work } = item;
    return item.session === undefined ? renderItem(work, "other") : `subagent ${item.session}`;
  }
  // Earlier versions wrote remarks as words of the agent.
  if (item.kind === "remark") return renderItem({ kind: "text", text: item.text }, "other");
  if (item.kind !== "phase") return renderItem(item, "other");
  const origin: { journal?: number; transcript?: string } | undefined =
    "opened" in item ? item.opened : "mark" in item ? item.mark : undefined;
  return `phase ${origin?.journal ?? origin?.transcript}`;
}
