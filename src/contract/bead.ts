import type { Json } from "./grimoire.ts";

/** A task, as a line of `.beads/issues.jsonl` has it. Fields that Clew does not know are kept. */
export interface Bead {
  id: string;
  title: string;
  description?: string;
  status?: string;
  priority?: number;
  issue_type?: string;
  labels?: string[];
  [field: string]: Json | undefined;
}

/** A bead's labels; none when what stands there is no list of texts. */
export function labelsOf({ labels }: Bead): string[] {
  return Array.isArray(labels) ? labels.filter((label) => typeof label === "string") : [];
}

/** The fields of the beads format, for those who refer to them. */
export const beadFields = [
  "id",
  "title",
  "description",
  "design",
  "acceptance_criteria",
  "notes",
  "status",
  "priority",
  "issue_type",
  "assignee",
  "labels",
  "dependencies",
  "comments",
  "metadata",
  "external_ref",
  "estimated_minutes",
  "created_at",
  "created_by",
  "updated_at",
  "started_at",
  "closed_at",
  "close_reason",
  "defer_until",
  "due_at",
] as const;
