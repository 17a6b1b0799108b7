import { beadFields, type Bead, type BeadDependency } from "../contract/bead.ts";
import type { Redacted } from "../contract/redacted.ts";
import type { FieldChanges } from "../contract/api/bead-shapes.ts";

interface NewBeadParts {
  id: string;
  /** What was given. */
  input: Redacted<{ fields: FieldChanges & { title: string }; labels: string[] }>;
  dependencies: BeadDependency[];
  /** ISO 8601. */
  now: string;
  by: string | undefined;
}

/** A bead as it begins. Its fields stand in the order of the format, so that all lines that we make look alike. */
export function makeBead({ id, input: { fields, labels }, dependencies, now, by }: NewBeadParts): Bead {
  const bead: Record<string, unknown> = {
    status: "open",
    priority: 2,
    issue_type: "task",
    ...fields,
    id,
    created_at: now,
    created_by: by,
    updated_at: now,
    labels: labels.length > 0 ? [...new Set(labels)] : undefined,
    dependencies: dependencies.length > 0 ? dependencies : undefined,
  };
  return Object.fromEntries(beadFields.flatMap((name) => (bead[name] == null ? [] : [[name, bead[name]]]))) as Bead;
}
