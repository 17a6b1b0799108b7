import type { LogEntry } from "../contract/session.ts";
import type { Item, PhaseMark, Tail } from "./items.ts";
import { addToTally, type Tally } from "./tally.ts";
import { renderItem, tailAfter } from "./render.ts";
import { asOneLine, cutToCodePoints } from "./text.ts";

/** The end of a body, as far as writing on has to know. Writing changes it. */
export interface BodyEnd {
  tally: Tally;
  tail: Tail;
}

/** What is true at the moment of logging. */
export interface Moment {
  at: string;
  commit?: string | undefined;
}

/** Logs one entry: moves `end` on and returns the texts that the body gains. */
export function writeEntry(entry: LogEntry, end: BodyEnd, moment: Moment): string[] {
  return itemsFor(entry, end, moment).map((item) => {
    const text = renderItem(item, end.tail);
    end.tail = tailAfter(item, end.tail);
    addToTally(end.tally, item);
    return text;
  });
}

/** An entry needs a phase to stand in: the first one opens `Start`, one behind a summary `Continued`. */
function itemsFor(entry: LogEntry, { tally, tail }: BodyEnd, moment: Moment): Item[] {
  if (entry.kind === "phase") {
    const { opened, ...phase } = entry;
    return [{ ...phase, title: phaseTitle(entry.title), mark: markFor(tally, { ...moment, ...opened }) }];
  }
  if (tail !== "no-phase" && tail !== "summary") return [entry];
  const title = tail === "summary" ? "Continued" : "Start";
  return [{ kind: "phase", title, mark: markFor(tally, moment) }, entry];
}

function markFor(tally: Tally, { at, commit, journal }: Moment & { journal?: number }): PhaseMark {
  const id = `phase-${Math.max(tally.lastPhase, tally.phases) + 1}`;
  return { id, at, ...(commit !== undefined && { commit }), ...(journal !== undefined && { journal }) };
}

/** Titles are one line. */
export function phaseTitle(text: string): string {
  return cutToCodePoints(asOneLine(text), 200);
}
