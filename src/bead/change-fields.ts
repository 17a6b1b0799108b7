import { dependenciesOf, dependencyType, labelsOf, type Bead, type BeadDependency } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import type { FieldChanges } from "../contract/api/bead-shapes.ts";

/** The bead with other fields; the very same object when it had them already. */
export function withFields(bead: Bead, changes: FieldChanges, now: string): Bead {
  const changed: Bead = { ...bead };
  for (const [name, value] of Object.entries(changes) as [string, string | number | null | undefined][]) {
    if (value === null) delete changed[name];
    else if (value !== undefined) changed[name] = value;
  }
  return withUpdateTime(bead, changed, now);
}

export function withLabels(bead: Bead, { add, remove }: { add: string[]; remove: string[] }, now: string): Bead {
  const oldLabels = labelsOf(bead);
  const labels = [...new Set([...oldLabels, ...add])].filter((label) => !remove.includes(label));
  if (labels.length === oldLabels.length && labels.every((label, at) => label === oldLabels[at])) return bead;
  const { labels: _, ...rest } = bead;
  // As `bd` has it: no labels, no field. One that is there keeps its place in the line.
  return { ...(labels.length === 0 ? rest : { ...bead, labels }), updated_at: now };
}

/** One dependency per pair of beads: what stands there by another type is not silently another one. */
export function withDependency(bead: Bead, dependency: BeadDependency, now: string): Bead {
  const before = dependenciesOf(bead);
  const existing = before.filter((each) => each.depends_on_id === dependency.depends_on_id);
  if (existing.some((each) => dependencyType(each) === dependency.type)) return bead;
  const target = dependency.depends_on_id;
  if (existing[0]) {
    throw new ClewError(
      "invalid_input",
      `${bead.id} already depends on ${target} (${dependencyType(existing[0])})`,
      `take that away first: clew bead dep remove ${bead.id} ${target}`,
    );
  }
  return { ...bead, dependencies: [...before, dependency], updated_at: now };
}

export function withoutDependency(bead: Bead, target: string, now: string): Bead {
  const before = dependenciesOf(bead);
  const dependencies = before.filter((each) => each.depends_on_id !== target);
  if (dependencies.length === before.length) return bead;
  const { dependencies: _, ...rest } = bead;
  return { ...(dependencies.length === 0 ? rest : { ...bead, dependencies }), updated_at: now };
}

function withUpdateTime(before: Bead, after: Bead, now: string): Bead {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isSame = [...names].every((name) => Object.is(before[name], after[name]));
  return isSame ? before : { ...after, updated_at: now };
}
