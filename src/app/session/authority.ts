import type { Frontmatter } from "../../contract/session.ts";
import { notAPerson } from "../run/authority.ts";
import type { Caller, CallerStep } from "../run/ports.ts";
import type { SessionRecords } from "./ports.ts";

/** What of sessions is a person's. */
export type PersonsDeed =
  | "paused"
  | "ended"
  | "renamed"
  | "archived"
  | "brought back"
  | "deleted"
  | "resumed"
  | "steered";

/** The runs and sessions that a session is begun below, for its frontmatter: what works there may end it again. */
export function begunBelow({ steps }: Caller): Pick<Frontmatter, "begun_below"> {
  return steps.length === 0 ? {} : { begun_below: [...new Set(steps.map(workerOf))] };
}

/** Throws when an agent or step asks for it that did not begin this session. */
export async function refuseForeignSession(
  { records }: { records: Pick<SessionRecords, "read" | "exists"> },
  caller: Caller,
  id: string,
  deed: PersonsDeed,
): Promise<void> {
  const foreign = await foreignStep(records, caller, id);
  if (!foreign) return;
  const isOwn = foreign.run === id;
  const { own, hint } = deed === "renamed" ? renaming : deed === "steered" ? steering : ending;
  throw notAPerson(
    foreign,
    isOwn ? own : `the session ${id}, which it did not begin, is not ${deed} from there`,
    isOwn ? hint : `clew session log decision_needed TEXT -s ${id} asks a person to do it`,
  );
}

const ending = {
  own: "its own session ends with its work",
  hint: "give your result, and the session ends by it",
};
const steering = {
  own: "what its own agent is told is a person's to say",
  hint: "give your result, and the session ends by it",
};
const renaming = {
  own: "its own session keeps the title that a person knows it by",
  hint: "clew session log decision TEXT says what it is about",
};

/**
 * A note is an agent's own account of its work. Throws when an agent or step would note something in a session that is neither its own
 * nor begun below it. Who asked the daemon without a token, or over MCP, has the cookie for proof.
 */
export async function refuseForeignNote(
  { records }: { records: Pick<SessionRecords, "read" | "exists"> },
  caller: Caller,
  id: string,
): Promise<void> {
  const steps = caller.steps.filter(({ agent }) => agent !== "unknown" && agent !== "mcp");
  if (steps.length === 0) return;
  const workers = await workersOf(records, id);
  const { run } = (await records.read(id)).frontmatter;
  if (steps.some((step) => [id, run].includes(workerOf(step)) || workers.has(workerOf(step)))) return;
  const own = steps.find(({ agent }) => agent !== undefined)?.run;
  throw notAPerson(
    steps[0]!,
    `${id} is not its own session, and it leaves no note there`,
    own == null ? "use the cookie that you were given" : `clew session breadcrumb add --cookie ${own}`,
  );
}

/** Throws when an agent or step would say in a session that it did not begin what others say: the user, a person, or Clew. */
export async function refuseForeignWords(
  { records }: { records: Pick<SessionRecords, "read" | "exists"> },
  caller: Caller,
  id: string,
): Promise<void> {
  const foreign = await foreignStep(records, caller, id);
  if (!foreign) return;
  const consequence = `it speaks for nobody else in the session ${id}, which it did not begin`;
  throw notAPerson(foreign, consequence, `clew session log text TEXT -s ${id} logs its own words`);
}

async function foreignStep(
  records: Pick<SessionRecords, "read" | "exists">,
  { steps }: Caller,
  id: string,
): Promise<CallerStep | undefined> {
  if (steps.length === 0) return undefined;
  const begun = await workersOf(records, id);
  return steps.find((step) => !begun.has(workerOf(step)));
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
