import type { Json } from "./json.ts";

/** That one bead has to do with another. `issue_id` is the bead it stands in, `depends_on_id` the other one. */
export type BeadDependency = {
  issue_id: string;
  depends_on_id: string;
  type: string;
  created_at?: string;
  created_by?: string;
};

/** A task, as a line of `.beads/issues.jsonl` has it. Fields that Clew does not know are kept. */
export interface Bead {
  id: string;
  title: string;
  description?: string;
  design?: string;
  acceptance_criteria?: string;
  notes?: string;
  status?: string;
  priority?: number;
  issue_type?: string;
  assignee?: string;
  labels?: string[];
  dependencies?: BeadDependency[];
  external_ref?: string;
  estimated_minutes?: number;
  created_at?: string;
  created_by?: string;
  updated_at?: string;
  started_at?: string;
  closed_at?: string;
  close_reason?: string;
  defer_until?: string;
  due_at?: string;
  [field: string]: Json | undefined;
}

/** The statuses of the beads format; others may stand in a file. */
export const beadStatuses = ["open", "in_progress", "blocked", "deferred", "closed", "pinned", "hooked"] as const;

/** The types of the beads format; projects may have more. */
export const beadTypes = ["task", "bug", "feature", "epic", "chore", "decision"] as const;

/** A bead that was deleted: its line stays, so that copies elsewhere learn of it. */
export const tombstone = "tombstone";

// A file may hold anything: these read a field as what it should be, or as if it were not there.

/** A bead's labels; none when what stands there is no list of texts. */
export function labelsOf({ labels }: Bead): string[] {
  return Array.isArray(labels) ? labels.filter((label) => typeof label === "string") : [];
}

export function beadStatusOf({ status }: Bead): string {
  return typeof status === "string" && status !== "" ? status : "open";
}

/** 0 is the most urgent, 4 the least. */
export function priorityOf({ priority }: Bead): number {
  return typeof priority === "number" ? priority : 2;
}

export function beadTypeOf({ issue_type }: Bead): string {
  return typeof issue_type === "string" && issue_type !== "" ? issue_type : "task";
}

export function dependenciesOf({ dependencies }: Bead): BeadDependency[] {
  if (!Array.isArray(dependencies)) return [];
  return dependencies.filter((each: unknown) => typeof (each as BeadDependency | null)?.depends_on_id === "string");
}

/** A type that is missing means what `bd` means by it. */
export function dependencyType({ type }: BeadDependency): string {
  return typeof type === "string" && type !== "" ? type : "blocks";
}

const blockingTypes: readonly string[] = ["blocks", "conditional-blocks", "waits-for"];

/** Whether the target of a dependency has to be closed before work can begin. */
export function isBlocking(dependency: BeadDependency): boolean {
  return blockingTypes.includes(dependencyType(dependency));
}

/** The fields of the beads format, in its order. */
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
