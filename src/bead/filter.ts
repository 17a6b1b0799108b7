import type { BeadFilter } from "../contract/api/bead-shapes.ts";
import { labelsOf, priorityOf, beadStatusOf, beadTypeOf, type Bead } from "../contract/bead.ts";

export function matchesFilter(bead: Bead, { status, type, labels = [], priority, assignee, all }: BeadFilter): boolean {
  if (status === undefined ? !all && beadStatusOf(bead) === "closed" : beadStatusOf(bead) !== status) return false;
  if (type !== undefined && beadTypeOf(bead) !== type) return false;
  if (priority !== undefined && priorityOf(bead) !== priority) return false;
  if (assignee !== undefined && bead.assignee !== assignee) return false;
  const beadLabels = labelsOf(bead);
  return labels.every((label) => beadLabels.includes(label));
}
