import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { TimelineEvent } from "../../contract/api/session-report.ts";
import { asOneLine } from "../../session/text.ts";
import { addToList } from "../../text/add-to-list.ts";

type CalledTool = NonNullable<Breadcrumb["tools_called"]>[number];

/**
 * A call has the time that the breadcrumb of its round tells, if that is in the time of its phase: other agents may have made the same
 * call. Where several could be meant, each is taken once, in order.
 */
export function withCallTimes(events: TimelineEvent[], breadcrumbs: Breadcrumb[]): TimelineEvent[] {
  const byName = new Map<string, CalledTool[]>();
  for (const { tools_called: tools = [] } of breadcrumbs) {
    for (const tool of tools) if (tool.at !== undefined) addToList(byName, tool.name.replace(/\s+/g, "-"), tool);
  }
  if (byName.size === 0) return events;
  const ends = phaseEnds(events);
  let phaseMs = -Infinity;
  return events.map((event, place) => {
    if (event.kind === "phase" && event.at !== null) phaseMs = Date.parse(event.at);
    if (event.kind !== "call") return event;
    const space = event.text.indexOf(" ");
    const [name, args] = space < 0 ? [event.text, ""] : [event.text.slice(0, space), event.text.slice(space + 1)];
    const tools = byName.get(name) ?? [];
    const at = tools.findIndex((tool) => isWithin(tool, phaseMs, ends[place]!) && isAbout(args, tool.about));
    if (at < 0) return event;
    const [tool] = tools.splice(at, 1);
    return {
      ...event,
      at: tool!.at!,
      ...(tool!.duration_ms !== undefined && { duration_ms: tool!.duration_ms }),
    };
  });
}

/** When the next phase begins, for each event; never, where none does. */
function phaseEnds(events: TimelineEvent[]): number[] {
  const ends: number[] = [];
  let endMs = Infinity;
  for (const [place, { kind, at }] of [...events.entries()].toReversed()) {
    ends[place] = endMs;
    if (kind === "phase" && at !== null) endMs = Date.parse(at);
  }
  return ends;
}

/** A call may have begun before its phase: an agent takes up its next task by one. */
function isWithin({ at, duration_ms = Infinity }: CalledTool, fromMs: number, toMs: number): boolean {
  const ms = Date.parse(at!);
  return ms < toMs && ms + duration_ms >= fromMs;
}

/** What is compared of what a call is about: longer ones are cut. */
const comparedLength = 60;

function isAbout(args: string, about: string | undefined): boolean {
  if (about === undefined) return true;
  const words = about.slice(0, comparedLength).replace(/…$/, "");
  return asOneLine(args).includes(words) || args.includes(JSON.stringify(words).slice(1, -1));
}
