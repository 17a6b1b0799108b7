import { newBeadId, newChildId } from "../../bead/bead-id.ts";
import { checkDependencyType, checkFields, checkLabels } from "../../bead/check-fields.ts";
import { makeBead } from "../../bead/new-bead.ts";
import { withTimes } from "../../bead/read-time.ts";
import { parentType, readinessOf } from "../../bead/readiness.ts";
import type { NamedDependency, NewBead } from "../../contract/api/bead-shapes.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { resolveBead } from "./find.ts";
import { newDependency, redactFields, timeNow, type BeadParts } from "./parts.ts";

interface CreatedBead {
  bead: Bead;
  warning?: string;
  standing?: string;
}

export async function createBead(parts: BeadParts, request: NewBead): Promise<CreatedBead> {
  const {
    title,
    labels = [],
    dependencies: namedDependencies = [],
    parent: parentName,
    standing: tellsStanding,
    ...fields
  } = request;
  const { store, clock, ids, actor } = parts;
  checkFields({ title, ...fields });
  checkLabels(labels);
  const timed = withTimes(fields, clock.now());
  const targets = namedDependencies.map(({ type, id }) => ({ type, id: resolveBead(store, id) }));
  const parent = parentName === undefined ? undefined : resolveBead(store, parentName);
  if (parent !== undefined) targets.push({ type: parentType, id: parent });
  refuseTwice(targets);
  targets.forEach(({ type }) => checkDependencyType(type));
  const given = await redactFields(parts, { fields: { title, ...timed }, labels });
  let warning: string | undefined;
  const bead = await store.add((existing) => {
    const newPrefix = existing.prefix();
    warning = newPrefix.warning;
    const newId = (): string =>
      newBeadId({ prefix: newPrefix.prefix, taken: existing.ids, random: (length) => ids.random(length) });
    const id = parent === undefined ? newId() : newChildId(parent, existing.ids);
    const dependencies = targets.map((each) => newDependency(parts, id, each));
    return makeBead({ id, input: given, dependencies, now: timeNow(parts), by: actor });
  });
  return {
    bead,
    ...(warning !== undefined && { warning }),
    ...(tellsStanding && { standing: readinessOf(store.all().beads, clock.now()).standingOf(bead) }),
  };
}

function refuseTwice(targets: NamedDependency[]): void {
  const seenIds = new Set<string>();
  for (const { id } of targets) {
    if (seenIds.has(id)) throw new ClewError("invalid_input", `${id} is named twice`, "one dependency for each bead");
    seenIds.add(id);
  }
}
