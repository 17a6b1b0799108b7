import { ClewError } from "../../contract/errors.ts";
import type { Limits } from "../../contract/limits.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import { limitReached, limitWords, raisedLimit } from "../../engine/limits.ts";

/** Throws when a run that waits because of a limit would reach one again at once. */
export function refuseReachedLimit(state: RunSnapshot, raised: Limits | undefined): void {
  const { id, limits, usage, rounds = 0, running_ms, waiting } = state;
  if (waiting?.reason !== "limit") return;
  const reached = limitReached({ ...limits, ...raised }, { usage, rounds, timeMs: running_ms });
  if (!reached) return;
  const hint = `clew run retry ${id} ${raisedLimit(reached)}`;
  throw new ClewError("not_possible_now", `run ${id} has ${limitWords(reached)}`, hint);
}
