import { beadStatusOf } from "../../contract/bead.ts";
import { findClearBeadId } from "../bead/find.ts";
import { mendWork } from "./mend.ts";
import type { WorkParts } from "./parts.ts";
import { openSessionOf } from "./plan.ts";

/** A driver that died after the last task was closed left its session open: it is completed now. */
export async function completeClosedWork(parts: WorkParts, name: string): Promise<void> {
  const { store } = parts.beads;
  const id = findClearBeadId(store, name);
  const bead = id === undefined ? undefined : store.find(id);
  if (!bead || beadStatusOf(bead) !== "closed") return;
  const session = parts.claims.holder(bead.id)?.session ?? (await openSessionOf(parts, bead));
  const release = session === undefined ? undefined : parts.drivers.tryAcquire(session);
  if (session === undefined || !release) return;
  try {
    await mendWork(parts, session);
  } finally {
    release();
  }
}
