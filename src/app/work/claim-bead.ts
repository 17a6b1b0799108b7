import type { WorkRequest } from "../../contract/api/work.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { begunBelow } from "../session/authority.ts";
import { changeSession } from "../session/change.ts";
import { reopenSession, startSession } from "../session/lifecycle.ts";
import type { WorkParts } from "./parts.ts";
import type { WorkPlan } from "./plan.ts";
import { newState, writable } from "./state.ts";
import { refuseRun, statusOf } from "./tasks.ts";
import { heldByWork } from "./work-holder.ts";

/** Claims the bead for its session, which is made if need be, and opened again if it was paused. */
export async function claimBead(parts: WorkParts, plan: WorkPlan, request: WorkRequest): Promise<string> {
  const { bead, session, agent } = plan;
  const { sessions } = parts.log;
  const { session: id } = await parts.claims.claim(bead.id, {
    refuse(holder) {
      if (holder !== undefined && holder !== session?.id) throw heldByWork(bead.id, holder);
      refuseRun(parts, bead);
    },
    async start() {
      if (session) return session.id;
      const { model } = agent;
      const branch = parts.place.branch();
      const { begun_below } = begunBelow(await parts.caller());
      const { title, id: beadId } = bead;
      return startSession(sessions, { title, kind: "work", bead: beadId, model, branch, begunBelow: begun_below });
    },
    statusNow: () => statusOf(parts, bead.id),
    take: (note) => parts.beads.store.claim(bead.id, note),
  });
  const { stopped: _, ...state } = parts.states.read(id) ?? newState(id, bead.id);
  parts.states.write(id, writable({ ...state, current: null, asked: agent.asked }, parts.log.redact));
  if (!session) return id;
  await reopenSession(sessions, id);
  await changeSession(sessions, id, async (record) => {
    const branch = request.session === undefined ? undefined : parts.place.branch();
    await record.set(redactRecord({ bead: bead.id, error: undefined, ...(branch && { branch }) }, parts.log.redact));
    return record.save();
  });
  return id;
}
