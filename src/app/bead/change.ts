import { withFields, withLabels } from "../../bead/change-fields.ts";
import { withStatus } from "../../bead/change-status.ts";
import { checkFields, checkLabels, checkStatus, checkText } from "../../bead/check-fields.ts";
import { withTimes } from "../../bead/read-time.ts";
import { asTombstone } from "../../bead/tombstone.ts";
import type { BeadUpdate } from "../../contract/api/bead-shapes.ts";
import type { Bead } from "../../contract/bead.ts";
import { resolveBead } from "./find.ts";
import { redactFields, timeNow, type BeadParts } from "./parts.ts";

export async function updateBead(parts: BeadParts, update: BeadUpdate): Promise<Bead> {
  const { bead: name, fields = {}, status, reason } = update;
  const { add_labels: addLabels = [], remove_labels: removeLabels = [] } = update;
  checkFields(fields);
  checkLabels(addLabels);
  if (status !== undefined) checkStatus(status);
  checkText("reason", reason);
  const timed = withTimes(fields, parts.clock.now());
  const redactedUpdate = await redactFields(parts, { fields: timed, addLabels, reason });
  return changeBead(parts, name, (bead) => {
    const now = timeNow(parts);
    let changed = withFields(bead, redactedUpdate.fields, now);
    changed = withLabels(changed, { add: redactedUpdate.addLabels, remove: removeLabels }, now);
    return status === undefined ? changed : withStatus(changed, status, { now, ...reasonIn(redactedUpdate) });
  });
}

export async function closeBead(
  parts: BeadParts,
  name: string,
  reason?: string,
): Promise<{ bead: Bead; changed: boolean }> {
  checkText("reason", reason);
  const reasonField = reasonIn(await redactFields(parts, { reason }));
  return changeStatus(parts, name, (bead) => withStatus(bead, "closed", { now: timeNow(parts), ...reasonField }));
}

export async function reopenBead(parts: BeadParts, name: string): Promise<{ bead: Bead; changed: boolean }> {
  return changeStatus(parts, name, (bead) => withStatus(bead, "open", { now: timeNow(parts) }));
}

/** Leaves a tombstone where the bead was, and gives that. */
export async function deleteBead(parts: BeadParts, id: string, reason?: string): Promise<Bead> {
  checkText("reason", reason);
  const redactedInput = await redactFields(parts, { reason });
  const burial = { now: timeNow(parts), by: parts.actor, reason: redactedInput.reason };
  return parts.store.remove(id, (bead) => asTombstone(bead, burial));
}

function reasonIn({ reason }: { reason: string | undefined }): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

async function changeStatus(
  parts: BeadParts,
  name: string,
  change: (bead: Bead) => Bead,
): Promise<{ bead: Bead; changed: boolean }> {
  let changed = false;
  const bead = await changeBead(parts, name, (before) => {
    const after = change(before);
    changed = after !== before;
    return after;
  });
  return { bead, changed };
}

/** A program takes other names for an id than we do: it is only ever told the whole of it. */
export function changeBead({ store }: BeadParts, name: string, change: (bead: Bead) => Bead): Promise<Bead> {
  return store.change(resolveBead(store, name), change);
}
