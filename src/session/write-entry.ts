import type { LogEntry } from "../contract/session.ts";
import { agentPattern, channelPattern } from "../contract/session-values.ts";
import { withVersion } from "./agents.ts";
import type { Item, PhaseItem, PhaseMark, Tail } from "./items.ts";
import { addToTally, sessionAgents, type Tally } from "./tally.ts";
import { renderItem, tailAfter } from "./render.ts";
import { asTitle } from "./title.ts";

/** The end of a body, as far as writing on has to know. Writing changes it. */
export interface BodyEnd {
  tally: Tally;
  tail: Tail;
  /** What the frontmatter says: where the session happens, and who takes part. */
  channel: string | null;
  participants: string[];
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
function itemsFor(entry: LogEntry, end: BodyEnd, moment: Moment): Item[] {
  const { tally, tail } = end;
  if (entry.kind === "phase") {
    const { opened, ...phase } = entry;
    const mark = markFor(tally, { ...moment, ...opened });
    return [withHeading({ ...phase, title: asTitle(entry.title), mark }, end, opened !== undefined)];
  }
  if (tail !== "no-phase" && tail !== "summary") return [entry];
  const title = tail === "summary" ? "Continued" : "Start";
  return [withHeading({ kind: "phase", title, mark: markFor(tally, moment) }, end), entry];
}

/**
 * A phase that names no agent or channel goes on with those of the last phase, or of the session. One that follows from a
 * run's journal names its agent if it has any: a script has none.
 */
function withHeading(phase: PhaseItem, { tally, channel, participants }: BodyEnd, isProjected = false): PhaseItem {
  const lastAgent = isProjected ? undefined : (tally.phaseAgent ?? sessionAgents(participants, tally)[0]);
  const agent = phase.agent ?? (lastAgent !== undefined && agentPattern.test(lastAgent) ? lastAgent : undefined);
  const lastChannel = tally.phaseChannel ?? channel;
  const phaseChannel =
    phase.channel ?? (lastChannel !== null && channelPattern.test(lastChannel) ? lastChannel : undefined);
  const { kind, title, mark } = phase;
  return {
    kind,
    title,
    ...(agent !== undefined && { agent: withVersion(agent, [...participants, ...tally.participants]) }),
    ...(phaseChannel !== undefined && { channel: phaseChannel }),
    ...(mark && { mark }),
  };
}

type Origin = Pick<PhaseMark, "journal" | "call" | "transcript">;

function markFor(tally: Tally, { at, commit, journal, call, transcript }: Moment & Origin): PhaseMark {
  const id = `phase-${Math.max(tally.lastPhase, tally.phases) + 1}`;
  return {
    id,
    at,
    ...(commit !== undefined && { commit }),
    ...(journal !== undefined && { journal }),
    ...(call !== undefined && { call }),
    ...(transcript !== undefined && { transcript }),
  };
}
