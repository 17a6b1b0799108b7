import { beadsBelow } from "../../bead/below.ts";
import { beadStatusOf } from "../../contract/bead.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { parseItems } from "../../session/parse.ts";
import type { WorkParts } from "./parts.ts";
import { writable } from "./state.ts";

type Parts = Pick<WorkParts, "log" | "claims" | "beads" | "states" | "warn">;

/**
 * The state of a work session. When its file was removed or cannot be read, it is made again of what is known otherwise: `last`,
 * the record and the claims. A person is told then. Undefined when there is no such work session, or it is over.
 */
export async function stateOf(parts: Parts, session: string, last?: WorkState): Promise<WorkState | undefined> {
  const kept = parts.states.read(session);
  if (kept) return kept;
  const recovered = await recover(parts, session);
  if (!recovered) return undefined;
  const state = { ...last, ...recovered };
  parts.states.write(session, writable(state, parts.log.redact));
  parts.warn(
    `the state of the work session ${session} was lost or damaged (.clew/state/ai-sync/${session}.json); it was made again from its record`,
  );
  return state;
}

async function recover({ log, claims, beads }: Parts, session: string): Promise<WorkState | undefined> {
  const { records } = log.sessions;
  const claimed = [...claims.held()].flatMap(([bead, holder]) => (holder === session ? [bead] : []));
  if (claimed.length === 0 || !records.exists(session)) return undefined;
  const { frontmatter, text, bodyStart } = await records.read(session);
  const { bead } = frontmatter;
  if (bead === undefined) return undefined;
  const all = beads.store.all().beads;
  const statuses = new Map(all.map((each) => [each.id, beadStatusOf(each)]));
  const done = parseItems(text.slice(bodyStart)).flatMap((item) => {
    const id = item.kind === "task_complete" ? item.text.split(":", 1)[0]!.trim() : undefined;
    return id !== undefined && statuses.get(id) === "closed" ? [id] : [];
  });
  // A track or stage is in progress by the task below it.
  const tasks = beadsBelow(all, bead).length > 0 ? claimed.filter((id) => id !== bead) : claimed;
  const current = tasks.find((id) => statuses.get(id) === "in_progress") ?? null;
  return { version: 1, session, bead, current, done: [...new Set(done)] };
}
