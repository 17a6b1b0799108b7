import type { HookQuestion } from "../hook/answer.ts";
import { textIn } from "../hook/hook-line.ts";
import { callersRuns, type CallersRuns, type CallersRunsParts } from "../run/connected/callers-runs.ts";

interface Parts extends CallersRunsParts {
  /** The session of a run; undefined while there is none. */
  sessionOfRun: (run: string) => string | undefined;
  isSession: (id: string) => boolean;
  /** The session that was made of what an engine session told its hooks. */
  sessionOfEngine: (engine: string, session: string) => Promise<string | undefined>;
}

/**
 * Whose session the agent of a hook works in. One that Clew started says so by its marks. One that a person started is known by the
 * calls that it made over MCP, by the folder that it works in, or because no other can be meant: the one run that waits for a connected
 * agent of which nothing else is known.
 */
export function sessionOfCaller(parts: Parts): (question: HookQuestion) => Promise<string | undefined> {
  return async (question) => {
    const { caller, engine, fields } = question;
    if (caller) return parts.sessionOfRun(caller.owner) ?? (parts.isSession(caller.owner) ? caller.owner : undefined);
    const session = textIn(fields, "session_id");
    if (session === undefined) return undefined;
    const run = runAtWork(callersRuns(parts, question));
    return run === undefined ? parts.sessionOfEngine(engine, session) : parts.sessionOfRun(run);
  };
}

function runAtWork({ called, around, anyones }: CallersRuns): string | undefined {
  const [other, ...others] = anyones;
  const only = others.length === 0 ? other : undefined;
  return (called.findLast(({ isAtWork }) => isAtWork) ?? around.find(({ isAtWork }) => isAtWork) ?? only)?.id;
}
