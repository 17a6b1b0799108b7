import type { Frontmatter } from "../../contract/session.ts";
import { notAPerson } from "../run/authority.ts";
import type { Caller, CallerStep } from "../run/ports.ts";
import type { SessionRecords } from "./ports.ts";

/** What of sessions is a person's: to end, pause, put away or delete one, and to go on with it. */

/** The runs and sessions that a session is begun below, for its frontmatter: what works there may end it again. */
export function begunBelow({ steps }: Caller): Pick<Frontmatter, "begun_below"> {
  return steps.length === 0 ? {} : { begun_below: [...new Set(steps.map(workerOf))] };
}

/** Throws when an agent or step asks for it that did not begin this session. */
export async function refuseForeignSession(
  { records }: { records: Pick<SessionRecords, "read" | "exists"> },
  caller: Caller,
  id: string,
): Promise<void> {
  if (caller.steps.length === 0) return;
  const begun = await workersOf(records, id);
  const foreign = caller.steps.find((step) => !begun.has(workerOf(step)));
  if (!foreign) return;
  const isOwn = foreign.run === id;
  throw notAPerson(
    foreign,
    isOwn ? "its own session ends with its work" : `the session ${id}, which it did not begin, is not ended from there`,
    isOwn
      ? "give your result, and the session ends by it"
      : `clew session log decision_needed TEXT -s ${id} asks a person to do it`,
  );
}

/** What began a session, or one that it is a subagent's of: also the agents of those. The frontmatter is anybody's text. */
async function workersOf(records: Pick<SessionRecords, "read" | "exists">, id: string): Promise<Set<unknown>> {
  const workers = new Set<unknown>();
  const seen = new Set<string>();
  for (let session: string | undefined = id; session !== undefined && !seen.has(session);) {
    seen.add(session);
    const { begun_below: begun, parent }: Frontmatter = (await records.read(session)).frontmatter;
    for (const each of Array.isArray(begun) ? begun : []) workers.add(each);
    session = parent !== undefined && records.exists(parent) ? parent : undefined;
    if (session !== undefined) workers.add(session);
  }
  return workers;
}

function workerOf({ run, step }: CallerStep): string {
  return run ?? step;
}
