import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { TimelineEvent } from "../../contract/api/session-report.ts";

/** Where an event stands. Instants are whole milliseconds: what follows from one at the same instant stands a part of one behind it. */
interface Placed {
  event: TimelineEvent;
  ms: number;
}
const behindStart = 0.25;
const behindCall = 0.5;

/** What is known of the time of an event of the body from those behind it. */
interface Ahead {
  /** When the next phase or remark was written. */
  untilMs: number;
  /** The call that was at work when the event was written; undefined when none was. */
  call: TimelineEvent | undefined;
}

/**
 * All events, causes first. `items` stand in the order of the body, where each was written when it happened, but a call when it was over. What
 * has no time of its own keeps its place there: behind what stands before it, and behind the start of the call that was at work. `others` have times.
 */
export function byTime(items: TimelineEvent[], others: TimelineEvent[], breadcrumbs: Breadcrumb[]): TimelineEvent[] {
  const ahead = lookAhead(items);
  const lastRoundEnd = roundEnds(breadcrumbs);
  const placed: Placed[] = [];
  // Where the last event stands that was written before.
  let lastMs = -Infinity;
  for (const [at, event] of items.entries()) {
    const ms = timeOf(event);
    if (event.kind === "call" && !Number.isNaN(ms)) {
      placed.push({ event, ms: ms + behindStart });
      lastMs = Math.max(lastMs, endOf(event));
      continue;
    }
    // The session of a subagent is written a little after its first words; its call was made before both.
    const isOfCall = event.kind === "subagent" && ahead[at]!.call !== undefined;
    lastMs = Number.isNaN(ms) || isOfCall ? placeBetween(event, lastMs, ahead[at]!, lastRoundEnd) : ms;
    placed.push({ event: isOfCall ? { ...event, at: null } : event, ms: lastMs });
  }
  for (const event of others) placed.push({ event, ms: timeOf(event) });
  return placed
    .map((each, order) => ({ ...each, order }))
    .sort((a, b) => (a.ms === b.ms ? a.order - b.order : a.ms - b.ms))
    .map(({ event }) => event);
}

/** The place of an event without a time, written after `afterMs`. */
function placeBetween(
  event: TimelineEvent,
  afterMs: number,
  { untilMs, call }: Ahead,
  lastRoundEnd: (beforeMs: number) => number,
): number {
  const { kind } = event;
  // No call leads to these: an error that work follows is of the engine.
  if (kind === "user" || kind === "call" || kind === "engine" || (kind === "error" && call)) return afterMs;
  // A subagent that is not linked is written when it is over.
  const isOver = kind === "subagent" && event.at === null;
  const cause = call ? (isOver ? endOf(call) : timeOf(call)) : lastRoundEnd(untilMs);
  return Math.max(afterMs, Math.min(cause + behindCall, untilMs));
}

function lookAhead(items: TimelineEvent[]): Ahead[] {
  const ahead: Ahead[] = [];
  let untilMs = Infinity;
  let call: TimelineEvent | undefined;
  for (const [at, event] of [...items.entries()].toReversed()) {
    ahead[at] = { untilMs, call };
    const ms = timeOf(event);
    if (Number.isNaN(ms)) continue;
    if (event.kind === "call") call = event;
    else {
      untilMs = ms;
      // A call that began later was not at work yet.
      if (call && timeOf(call) > ms) call = undefined;
    }
  }
  return ahead;
}

/** The end of the last of the rounds that began before an instant, none of which is later than it. */
function roundEnds(breadcrumbs: Breadcrumb[]): (beforeMs: number) => number {
  const rounds = breadcrumbs
    .flatMap(({ kind, timestamp, duration_ms = 0 }) => (kind === "round" ? [[Date.parse(timestamp), duration_ms]] : []))
    .toSorted(([a], [b]) => a! - b!);
  let latest = -Infinity;
  const ends = rounds.map(([ms, duration]) => (latest = Math.max(latest, ms! + duration!)));
  return (beforeMs) => {
    let [low, high] = [0, rounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rounds[middle]![0]! < beforeMs) low = middle + 1;
      else high = middle;
    }
    return ends[low - 1] ?? -Infinity;
  };
}

function timeOf({ at }: TimelineEvent): number {
  return at === null ? NaN : Date.parse(at);
}

function endOf(event: TimelineEvent): number {
  return timeOf(event) + (event.duration_ms ?? 0);
}
