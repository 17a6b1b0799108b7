import { ClewError } from "../../../contract/errors.ts";
import type { ExecutionParts } from "./parts.ts";
import type { MendedExecution } from "./ports.ts";

/**
 * Runs `work` while this process alone changes the turns of a session, after it mended what a dead one left. Throws a ClewError when
 * another process is at it.
 */
export async function withTurns<T>(parts: ExecutionParts, session: string, work: () => Promise<T>): Promise<T> {
  const release = parts.drivers.tryAcquire(session);
  if (!release) {
    throw new ClewError(
      "not_possible_now",
      `another process plans or executes in the session ${session}`,
      "wait until it is done, or end it: its questions are on its own terminal",
    );
  }
  try {
    await mendTurns(parts, session);
    return await work();
  } finally {
    release();
  }
}

/** Puts right what a dead process left half done, and tells of it. Under the session's lock. */
export async function mendTurns(
  { store, journals, time, warn }: Pick<ExecutionParts, "store" | "journals" | "time" | "warn">,
  session: string,
): Promise<void> {
  store.mend(session);
  const left = journals.underWay(session);
  if (!left) return;
  const { turn, deed } = left;
  const line = deed === "execute" ? "executed" : "undone";
  if (!store.lines(session).some((each) => each.turn === turn && each.type === line)) {
    const at = new Date(time.now()).toISOString();
    warn(mendedText({ turn, deed, ...(await journals.of(session, turn).takeBack(deed, at)) }));
  }
  journals.over(session);
}

function mendedText({ turn, deed, restored, kept, commands }: MendedExecution): string {
  const what = deed === "execute" ? `the execution of turn ${turn}` : `undoing turn ${turn}`;
  const files =
    restored.length === 0
      ? ""
      : `; ${restored.length === 1 ? "1 file is" : `${restored.length} files are`} as before again`;
  const others = kept.length === 0 ? "" : `; changed since, and left as they are: ${kept.slice(0, 20).join(", ")}`;
  const ran = commands.length === 0 ? "" : `; these commands had begun: ${commands.slice(0, 20).join(" · ")}`;
  return `${what} was cut off${files}${others}${ran}`;
}
