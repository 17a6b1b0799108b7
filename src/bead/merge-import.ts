import { beadFields, type Bead } from "../contract/bead.ts";

const formatFields = new Set<string>(beadFields);

/**
 * What stands in the file after a bead came in from elsewhere: the newer of the two. Fields of the beads format come
 * from the newer one alone, because one that it lacks was taken away; other fields stay unless it has them too.
 */
export function mergeImported(existing: Bead, incoming: Bead): Bead {
  if (!(updatedMs(incoming) > updatedMs(existing))) return existing;
  const merged: Bead = { ...existing, ...incoming };
  for (const name of Object.keys(existing))
    if (formatFields.has(name) && !Object.hasOwn(incoming, name)) delete merged[name];
  return merged;
}

function updatedMs({ updated_at, created_at }: Bead): number {
  const ms = Date.parse(String(updated_at ?? created_at));
  return Number.isNaN(ms) ? -Infinity : ms;
}
