import type { UnansweredPermission } from "../contract/permission.ts";
import type { RunSnapshot } from "../contract/run-snapshot.ts";

/** The id of the question that a wait asks, from the number of its event: the same however often it is projected. */
export function waitQuestionId(runId: string, n: number): string {
  let hash = 0x811c9dc5;
  for (const char of `${runId} ${n}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return `q-${(hash >>> 0).toString(36).padStart(7, "0")}`;
}

/** The request that a run is blocked for, if that is why: it keeps its id. */
export function pendingPermission({ waiting }: Pick<RunSnapshot, "waiting">): UnansweredPermission | undefined {
  return waiting?.reason === "permission" ? waiting.blocked_context?.permission : undefined;
}

/** The ids of what a run asks a person now. An agent's requests are void when no process drives the run. */
export function openQuestionIds(state: RunSnapshot, isDriven: boolean): string[] {
  const { id, waiting, last_event, permissions = [] } = state;
  if (waiting) return [pendingPermission(state)?.id ?? waitQuestionId(id, last_event)];
  return isDriven ? permissions.map((request) => request.id) : [];
}
