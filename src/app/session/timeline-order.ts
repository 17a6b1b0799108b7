import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { TimelineEvent } from "../../contract/api/session-report.ts";
import { addToList } from "../../text/add-to-list.ts";
import { asOneLine } from "../../session/text.ts";

type CalledTool = NonNullable<Breadcrumb["tools_called"]>[number];

/** A call has the time that the breadcrumb of its round tells; where several could be meant, each is taken once, in order. */
export function withCallTimes(events: TimelineEvent[], breadcrumbs: Breadcrumb[]): TimelineEvent[] {
  const byName = new Map<string, CalledTool[]>();
  for (const { tools_called: tools = [] } of breadcrumbs) {
    for (const tool of tools) if (tool.at !== undefined) addToList(byName, tool.name.replace(/\s+/g, "-"), tool);
  }
  if (byName.size === 0) return events;
  return events.map((event) => {
    if (event.kind !== "call") return event;
    const space = event.text.indexOf(" ");
    const [name, args] = space < 0 ? [event.text, ""] : [event.text.slice(0, space), event.text.slice(space + 1)];
    const tools = byName.get(name) ?? [];
    const at = tools.findIndex((tool) => isAbout(args, tool.about));
    if (at < 0) return event;
    const [tool] = tools.splice(at, 1);
    return {
      ...event,
      at: tool!.at!,
      ...(tool!.duration_ms !== undefined && { duration_ms: tool!.duration_ms }),
    };
  });
}

/** What is compared of what a call is about: longer ones are cut. */
const comparedLength = 60;

function isAbout(args: string, about: string | undefined): boolean {
  if (about === undefined) return true;
  const words = about.slice(0, comparedLength).replace(/…$/, "");
  return asOneLine(args).includes(words) || args.includes(JSON.stringify(words).slice(1, -1));
}

interface Placed {
  event: TimelineEvent;
  ms: number;
  /** Of what happened at the same instant, what follows from the rest comes last. */
  rank: number;
}

/**
 * All events by time. `items` stand in the order of the body; what has no time there stays behind what it stands after, and what nothing
 * with a time follows in its phase stands behind the rounds that led to it.
 */
export function byTime(items: TimelineEvent[], others: TimelineEvent[], breadcrumbs: Breadcrumb[]): TimelineEvent[] {
  const placed: Placed[] = [];
  const starts = items.map(phaseStart);
  let lastMs = NaN;
  for (const [at, event] of items.entries()) {
    const ms = timeOf(event);
    if (!Number.isNaN(ms)) lastMs = ms;
    const endMs =
      Number.isNaN(ms) && isTrailing(items, at) ? lastRoundEnd(breadcrumbs, lastMs, nextStart(starts, at)) : NaN;
    placed.push(Number.isNaN(endMs) ? { event, ms: lastMs, rank: 0 } : { event, ms: endMs, rank: 1 });
  }
  for (const event of others) placed.push({ event, ms: event.at === null ? lastMs : Date.parse(event.at), rank: 0 });
  return placed
    .map((each, order) => ({ ...each, order }))
    .sort((a, b) => a.ms - b.ms || a.rank - b.rank || a.order - b.order)
    .map(({ event }) => event);
}

function timeOf({ at }: TimelineEvent): number {
  return at === null ? NaN : Date.parse(at);
}

function phaseStart(event: TimelineEvent): number {
  return event.kind === "phase" ? timeOf(event) : NaN;
}

/** When the next phase begins; never, where none does. */
function nextStart(starts: number[], at: number): number {
  return starts.slice(at + 1).find((ms) => !Number.isNaN(ms)) ?? Infinity;
}

/** Whether nothing behind it in its phase has a time. */
function isTrailing(items: TimelineEvent[], at: number): boolean {
  for (let next = at + 1; next < items.length && items[next]!.kind !== "phase"; next += 1) {
    if (items[next]!.at !== null && items[next]!.kind === "call") return false;
  }
  return true;
}

/** The end of the last round that began in this time; NaN where none did. */
function lastRoundEnd(breadcrumbs: Breadcrumb[], fromMs: number, toMs: number): number {
  const ends = breadcrumbs.flatMap(({ kind, timestamp, duration_ms = 0 }) => {
    const ms = Date.parse(timestamp);
    const isIn = kind === "round" && ms < toMs && ms + duration_ms >= fromMs;
    return isIn ? [Math.min(ms + duration_ms, toMs)] : [];
  });
  return ends.length === 0 ? NaN : Math.max(...ends);
}
