import { connectedEngine } from "../../../contract/connected.ts";
import type { CallerLine } from "../../../contract/rehydration.ts";
import { attempt } from "../../../text/attempt.ts";
import type { HookQuestion } from "../../hook/answer.ts";
import { textIn } from "../../hook/hook-line.ts";
import type { HasMadeCall, RehydrationLog } from "../../rehydrate/ports.ts";
import type { RunStore } from "../ports.ts";
import { isRunOver, readPinnedRun, statusNow } from "../read.ts";

export interface CallersRunsParts {
  store: RunStore;
  log: Pick<RehydrationLog, "lines">;
  hasMadeCall: HasMadeCall;
  /** Whether a folder is another, or stands below it. */
  isWithin: (folder: string, other: string) => boolean;
}

interface ConnectedRun {
  id: string;
  folder: string;
  callers: CallerLine[];
  /** One of its steps may be at hand. */
  isAtWork: boolean;
}

/** The runs that an agent of the user's works on, by what is known of it. */
export interface CallersRuns {
  /** Those that it called over MCP, the oldest first. */
  called: ConnectedRun[];
  /** Those in whose folder it is. */
  around: ConnectedRun[];
  /** Those at work of which nothing is known of who works on them. */
  anyones: ConnectedRun[];
}

export function callersRuns(parts: CallersRunsParts, { engine, fields, folder }: HookQuestion): CallersRuns {
  const session = textIn(fields, "session_id");
  const places = [textIn(fields, "cwd"), folder].filter((each) => each !== undefined);
  const runs = openConnectedRuns(parts);
  return {
    called: runs.filter(({ callers }) => session !== undefined && hasCalled(parts, callers, engine, session)),
    around: runs.filter((run) => places.some((place) => parts.isWithin(place, run.folder))),
    anyones: runs.filter(({ isAtWork, callers }) => isAtWork && callers.length === 0),
  };
}

/** Those that a connected agent works on, the oldest first. */
function openConnectedRuns({ store, log }: Pick<CallersRunsParts, "store" | "log">): ConnectedRun[] {
  const look = (id: string): (ConnectedRun & { at: string })[] => {
    const state = store.state(id);
    if (isRunOver(store, id) || readPinnedRun(store, id)?.settings.engine !== connectedEngine) return [];
    const status = statusNow(store, state);
    const isAtWork = status === "running" || status === "interrupted";
    const callers = log.lines(id).filter((line): line is CallerLine => line.type === "caller");
    return [{ id, folder: state.worktree, callers, isAtWork, at: callers.at(-1)?.at ?? state.started }];
  };
  // One that cannot be read keeps no agent from its own.
  return store
    .openIds()
    .flatMap((id) => attempt(() => look(id), []))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

function hasCalled(
  { hasMadeCall }: Pick<CallersRunsParts, "hasMadeCall">,
  callers: CallerLine[],
  engine: string,
  session: string,
): boolean {
  if (callers.some((each) => each.engine_session === session)) return true;
  const ids = callers.flatMap((each) => (each.engine === engine ? (each.tool_use_id ?? []) : []));
  return ids.length > 0 && hasMadeCall(engine, session, ids);
}
