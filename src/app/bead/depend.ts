import { withDependency, withoutDependency } from "../../bead/change-fields.ts";
import { checkDependencyType } from "../../bead/check-fields.ts";
import { cycleThrough, isWaitingType } from "../../bead/dependency-cycle.ts";
import { idsWithName, idsMatching } from "../../bead/find-by-name.ts";
import type { DependencyChange } from "../../contract/api/bead-shapes.ts";
import { dependenciesOf, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { circleInWords } from "../../text/circle-in-words.ts";
import { changeBead } from "./change.ts";
import { resolveBead } from "./find.ts";
import { newDependency, timeNow, type BeadParts } from "./parts.ts";
import type { BeadStore, KnownBeads } from "./ports.ts";

interface DependencyRequest {
  child: string;
  parent: string;
}

/** `child` depends on `parent`. */
export async function addDependency(
  parts: BeadParts,
  { child, parent, type }: DependencyRequest & { type: string },
): Promise<DependencyChange> {
  checkDependencyType(type);
  const { store } = parts;
  const [from, to] = [resolveBead(store, child), resolveBead(store, parent)];
  if (from === to) throw new ClewError("invalid_input", `${from} cannot depend on itself`, "name two beads");
  const bead = await store.change(from, (before, existing) => {
    if (isWaitingType(type)) refuseCircle(existing, from, to);
    return withDependency(before, newDependency(parts, from, { type, id: to }), timeNow(parts));
  });
  return { bead, target: to };
}

export async function removeDependency(
  parts: BeadParts,
  { child, parent }: DependencyRequest,
): Promise<DependencyChange> {
  let target = parent;
  const bead = await changeBead(parts, child, (before) => {
    target = resolveTarget(parts.store, before, parent);
    const after = withoutDependency(before, target, timeNow(parts));
    if (after !== before) return after;
    throw new ClewError(
      "invalid_input",
      `${before.id} does not depend on ${target}`,
      `clew bead show ${before.id} shows on what`,
    );
  });
  return { bead, target };
}

/** What a bead depends on may be gone: then it is named only there. */
function resolveTarget(store: BeadStore, bead: Bead, name: string): string {
  const dependencyIds = [...new Set(dependenciesOf(bead).map((each) => each.depends_on_id))];
  const [called, another] = idsWithName(name, dependencyIds);
  if (called !== undefined && another === undefined) return called;
  try {
    return resolveBead(store, name);
  } catch (error) {
    const matches = idsMatching(name, dependencyIds);
    if (matches.length !== 1) throw error;
    return matches[0]!;
  }
}

function refuseCircle(existing: KnownBeads, from: string, to: string): void {
  const byId = new Map(existing.all().map((bead) => [bead.id, bead]));
  const way = cycleThrough((id) => byId.get(id), { from, to });
  if (!way) return;
  throw new ClewError(
    "invalid_input",
    `${from} cannot wait for ${to}, which waits for it: ${circleInWords([from, ...way])}`,
    `remove one of these first: clew bead dep remove ${way.at(-2)} ${from}`,
  );
}
