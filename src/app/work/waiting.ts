import type { WorkItem } from "../../contract/api/inbox.ts";
import type { SessionRecords } from "../session/ports.ts";
import type { WorkClaims, WorkStates } from "./ports.ts";

interface Parts {
  claims: Pick<WorkClaims, "held">;
  states: Pick<WorkStates, "read">;
  records: Pick<SessionRecords, "glance">;
}

/** The work sessions that a person has to see to. Only those that hold a bead are looked at, not all that there ever were. */
export function waitingWork({ claims, states, records }: Parts): WorkItem[] {
  const sessions = new Set(claims.held().values());
  return [...sessions].flatMap((session_id): WorkItem[] => {
    const state = states.read(session_id);
    const status = records.glance(session_id)?.status;
    if (!state?.stopped || status === "active") return [];
    const { message, next } = state.stopped;
    const what = status === "failed" ? "stopped hard" : "is paused";
    const text = `${session_id} ${what}: ${message}\n${next}\nclew session end ${session_id} --status abandoned`;
    return [{ id: `work:${session_id}`, kind: "decision_needed", text, session_id, bead: state.bead, next }];
  });
}
