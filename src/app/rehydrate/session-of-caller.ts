import { connectedEngine } from "../../contract/connected.ts";
import type { CallerLine } from "../../contract/rehydration.ts";
import { attempt } from "../../text/attempt.ts";
import type { HookQuestion } from "../hook/answer.ts";
import type { RunStore } from "../run/ports.ts";
import { readPinnedRun, statusNow } from "../run/read.ts";
import type { HasMadeCall, RehydrationLog } from "./ports.ts";

interface Parts {
  store: RunStore;
  /** The session of a run; undefined while there is none. */
  sessionOfRun: (run: string) => string | undefined;
  isSession: (id: string) => boolean;
  log: Pick<RehydrationLog, "lines">;
  hasMadeCall: HasMadeCall;
  /** Whether a folder is another, or stands below it. */
  isWithin: (folder: string, other: string) => boolean;
  /** The session that was made of what an engine session told its hooks. */
  sessionOfEngine: (engine: string, session: string) => Promise<string | undefined>;
}

interface ConnectedRun {
  id: string;
  folder: string;
  callers: CallerLine[];
}

/**
 * Whose session the agent of a hook works in. One that Clew started says so by its marks. One that a person started is known by the
 * calls that it made over MCP, by the folder that it works in, or because no other can be meant: the one run that waits for a connected
 * agent of which nothing else is known.
 */
export function sessionOfCaller(parts: Parts): (question: HookQuestion) => Promise<string | undefined> {
  return async (question) => {
    const { caller, engine, fields, folder } = question;
    if (caller) return parts.sessionOfRun(caller.owner) ?? (parts.isSession(caller.owner) ? caller.owner : undefined);
    const session = textIn(fields, "session_id");
    if (session === undefined) return undefined;
    const runs = openConnectedRuns(parts);
    const calls = ({ callers }: ConnectedRun): boolean => hasCalled(parts, callers, engine, session);
    const places = [textIn(fields, "cwd"), folder].filter((each) => each !== undefined);
    const run =
      runs.findLast(calls) ??
      runs.find((each) => places.some((place) => parts.isWithin(place, each.folder))) ??
      onlyOne(runs.filter(({ callers }) => callers.length === 0));
    if (run) return parts.sessionOfRun(run.id);
    return parts.sessionOfEngine(engine, session);
  };
}

/** Those that a connected agent works on, the oldest first. */
function openConnectedRuns({ store, log }: Parts): ConnectedRun[] {
  const look = (id: string): (ConnectedRun & { at: string })[] => {
    const state = store.state(id);
    const status = statusNow(store, state);
    if (status !== "running" && status !== "interrupted") return [];
    if (readPinnedRun(store, id)?.settings.engine !== connectedEngine) return [];
    const callers = log.lines(id).filter((line): line is CallerLine => line.type === "caller");
    return [{ id, folder: state.worktree, callers, at: callers.at(-1)?.at ?? state.started }];
  };
  // One that cannot be read keeps no agent from its own.
  return store
    .openIds()
    .flatMap((id) => attempt(() => look(id), []))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

function hasCalled({ hasMadeCall }: Parts, callers: CallerLine[], engine: string, session: string): boolean {
  if (callers.some((each) => each.engine_session === session)) return true;
  const ids = callers.flatMap((each) => (each.engine === engine ? (each.tool_use_id ?? []) : []));
  return ids.length > 0 && hasMadeCall(engine, session, ids);
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function textIn(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
