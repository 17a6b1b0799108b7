import { labelsOf, priorityOf, statusOf, typeOf, type Bead } from "../contract/bead.ts";

export interface BeadFilter {
  status?: string;
  type?: string;
  /** All of them. */
  labels?: string[];
  priority?: number;
  assignee?: string;
  /** Closed ones too, when no status is asked for. */
  all?: boolean;
}

export function fits(bead: Bead, { status, type, labels = [], priority, assignee, all }: BeadFilter): boolean {
  if (status === undefined ? !all && statusOf(bead) === "closed" : statusOf(bead) !== status) return false;
  if (type !== undefined && typeOf(bead) !== type) return false;
  if (priority !== undefined && priorityOf(bead) !== priority) return false;
  if (assignee !== undefined && bead.assignee !== assignee) return false;
  const own = labelsOf(bead);
  return labels.every((label) => own.includes(label));
}
