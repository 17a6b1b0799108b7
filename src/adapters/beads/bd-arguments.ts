import { dependenciesOf, dependencyType, labelsOf, type Bead } from "../../contract/bead.ts";
import { parentType } from "../../bead/readiness.ts";
import { ClewError } from "../../contract/errors.ts";

// Every value is joined to its flag, and ids stand behind `--`: whatever data looks like, `bd` cannot take it for a flag.

/** The flags of `bd create` and `bd update` for fields that they set alike. */
const flags: Record<string, string> = {
  title: "title",
  description: "description",
  design: "design",
  acceptance_criteria: "acceptance",
  notes: "notes",
  priority: "priority",
  issue_type: "type",
  assignee: "assignee",
  estimated_minutes: "estimate",
  external_ref: "external-ref",
  due_at: "due",
  defer_until: "defer",
};

/** Fields that `bd` keeps by itself. */
export const keptByBd = new Set(["id", "created_at", "created_by", "updated_at", "started_at", "closed_at"]);
/** Fields that have a way of their own. */
const special = new Set(["status", "close_reason", "labels", "dependencies"]);

export function createArguments(bead: Bead): string[] {
  const dependencies = dependenciesOf(bead);
  const parent = dependencies.find((each) => dependencyType(each) === parentType);
  return [
    "create",
    "--json",
    ...fieldFlags(bead, Object.keys(bead)),
    ...labelsOf(bead).map((label) => `--labels=${label}`),
    ...(parent ? [`--parent=${parent.depends_on_id}`] : []),
    ...dependencies.flatMap((each) =>
      each === parent ? [] : [`--deps=${dependencyType(each)}:${each.depends_on_id}`],
    ),
  ];
}

/** The calls of `bd` that make one bead of the other, in order. */
export function changeCalls(before: Bead, after: Bead): string[][] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const isClosing = after.status === "closed" && (changed.includes("status") || changed.includes("close_reason"));
  const updates = [
    ...fieldFlags(after, changed),
    ...(changed.includes("status") && !isClosing ? [`--status=${after.status}`] : []),
    ...labelFlags(before, after),
  ];
  return [
    ...(updates.length > 0 ? [["update", "--json", ...updates, "--", after.id]] : []),
    ...dependencyCalls(before, after),
    ...(isClosing
      ? [["close", "--json", ...(after.close_reason ? [`--reason=${after.close_reason}`] : []), "--", after.id]]
      : []),
  ];
}

function fieldFlags(bead: Bead, names: string[]): string[] {
  return names.flatMap((name) => {
    if (keptByBd.has(name) || special.has(name)) return [];
    const flag = flags[name];
    if (flag === undefined) throw notThroughBd(name);
    const value = bead[name];
    // An empty value clears a text or a date; there is no way to clear a number.
    if (value == null && name === "estimated_minutes") throw notThroughBd(name);
    return [`--${flag}=${typeof value === "number" ? value : typeof value === "string" ? value : ""}`];
  });
}

function labelFlags(before: Bead, after: Bead): string[] {
  const [old, wanted] = [labelsOf(before), labelsOf(after)];
  return [
    ...wanted.filter((label) => !old.includes(label)).map((label) => `--add-label=${label}`),
    ...old.filter((label) => !wanted.includes(label)).map((label) => `--remove-label=${label}`),
  ];
}

function dependencyCalls(before: Bead, after: Bead): string[][] {
  const key = (each: ReturnType<typeof dependenciesOf>[number]): string =>
    `${dependencyType(each)}:${each.depends_on_id}`;
  const [old, wanted] = [dependenciesOf(before), dependenciesOf(after)];
  const oldKeys = new Set(old.map(key));
  const wantedKeys = new Set(wanted.map(key));
  return [
    ...old
      .filter((each) => !wantedKeys.has(key(each)))
      .map((each) => ["dep", "remove", "--json", "--", after.id, each.depends_on_id]),
    ...wanted
      .filter((each) => !oldKeys.has(key(each)))
      .map((each) => ["dep", "add", "--json", `--type=${dependencyType(each)}`, "--", after.id, each.depends_on_id]),
  ];
}

function notThroughBd(name: string): ClewError {
  return new ClewError(
    "not_available",
    `these beads belong to a bd database, and bd has no way to set ${name}`,
    "bd update --help shows what it can set",
  );
}
