import type { RunSnapshot } from "../contract/run-journal.ts";
import type { RunItem } from "../contract/session-row.ts";

/** A run that a person stopped, for the inbox; `state` is that of one that nobody drives. */
export function stoppedItem({ id, status, stopped, current, bead_id }: RunSnapshot): RunItem[] {
  if (!stopped || status !== "running") return [];
  const where = current ? ` at ${current.path}` : "";
  const text = `${id} was stopped by a person${where} (${stopped.reason})\nclew run resume ${id}\nclew run cancel ${id}`;
  return [{ id: `stopped:${id}`, kind: "decision_needed", text, run: id, bead: bead_id }];
}
