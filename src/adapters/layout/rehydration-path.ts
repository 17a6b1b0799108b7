import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { sessionIdPattern } from "../../contract/session-values.ts";

/** What the agents of a run, or of a session without one, were told of where they stand. */
export function rehydrationPath(home: string, owner: string): string {
  if (sessionIdPattern.test(owner)) return join(home, "rehydrations", `${owner}.jsonl`);
  throw new ClewError(
    "invalid_id",
    `${JSON.stringify(owner)} is no run or session`,
    "clew run list, clew session list",
  );
}
