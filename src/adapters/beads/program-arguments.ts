import { dependenciesOf, dependencyType, labelsOf, type Bead, type BeadDependency } from "../../contract/bead.ts";
import { parentType } from "../../bead/readiness.ts";
import { ClewError } from "../../contract/errors.ts";

// Every value is joined to its flag, long texts go through stdin, and ids stand behind `--`, so that no program takes data
// for a flag.

/** One call of a program. */
export interface Call {
  args: string[];
  stdin?: string;
}

/** Decides between the flags of `bd` and those of `br`. */
export interface Dialect {
  name: "bd" | "br";
  actor: string | undefined;
}

/** The flags of `create` and `update` for fields that they set alike. */
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

/** Fields that the program sets by itself. */
export const programFields = new Set(["id", "created_at", "created_by", "updated_at", "started_at", "closed_at"]);
/** Fields that have flags or commands of their own. */
const specialFields = new Set(["status", "close_reason", "labels", "dependencies"]);

export function createCall(bead: Bead, dialect: Dialect): Call {
  const dependencies = dependenciesOf(bead);
  const parent = dependencies.find((each) => dependencyType(each) === parentType);
  const others = dependencies.filter((each) => each !== parent);
  const { flags: fields, ...rest } = fieldFlags(bead, Object.keys(bead), dialect);
  const labels = labelsOf(bead);
  const args = [
    "create",
    ...commonFlags(dialect),
    ...fields,
    ...(labels.length > 0 ? [`--labels=${labels.join(",")}`] : []),
    ...(parent ? [`--parent=${parent.depends_on_id}`] : []),
    ...(others.length > 0 ? [`--deps=${others.map((each) => edgeArgument(each, dialect)).join(",")}`] : []),
  ];
  return requirePassable({ args, ...rest }, dialect);
}

/** To `bd create`, `blocks` is what the new bead does to the other one. */
function edgeArgument(each: BeadDependency, { name }: Dialect): string {
  const type = dependencyType(each);
  return `${name === "bd" && type === "blocks" ? "blocked-by" : type}:${each.depends_on_id}`;
}

/** The calls that turn one state of a bead into the other, in order. */
export function changeCalls(before: Bead, after: Bead, dialect: Dialect): Call[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const isClosing = after.status === "closed" && (changed.includes("status") || changed.includes("close_reason"));
  const isReopening = before.status === "closed" && after.status === "open";
  const { flags: fields, ...rest } = fieldFlags(after, changed, dialect);
  const updates = [
    ...fields,
    ...(changed.includes("status") && !isClosing && !isReopening ? [`--status=${after.status}`] : []),
    ...labelFlags(before, after),
  ];
  const calls = [
    // `reopen` also records that the bead was closed, and clears the reason.
    ...(isReopening ? [{ args: ["reopen", ...commonFlags(dialect), "--", after.id] }] : []),
    ...(updates.length > 0 ? [{ args: ["update", ...commonFlags(dialect), ...updates, "--", after.id], ...rest }] : []),
    ...dependencyCalls(before, after, dialect),
    ...(isClosing ? [closeCall(after, dialect)] : []),
  ];
  // All calls are checked before the first is made: half a change would stay.
  return calls.map((call) => requirePassable(call, dialect));
}

/** The system passes no longer argument to a program. */
const maxArgumentBytes = 120_000;

/** Throws when the system could not pass the arguments of a call. */
function requirePassable(call: Call, { name }: Dialect): Call {
  for (const text of call.args) {
    const [, field = "an id", value = text] = /^--([a-z-]+)=([^]*)$/.exec(text) ?? [];
    const bytes = Buffer.byteLength(value);
    if (bytes > maxArgumentBytes) {
      throw new ClewError(
        "invalid_input",
        `${field} has ${bytes} bytes, and ${name} takes no more than ${maxArgumentBytes}`,
        "put it into a file, and name that file instead; nothing was written",
      );
    }
    if (!value.includes("\0")) continue;
    throw new ClewError(
      "invalid_input",
      `${field} holds a NUL, which no program can be given`,
      "take it out; nothing was written",
    );
  }
  return call;
}

function closeCall({ id, close_reason: reason }: Bead, dialect: Dialect): Call {
  const close = (...options: string[]): string[] => ["close", ...commonFlags(dialect), ...options, "--", id];
  if (!reason) return { args: close() };
  return dialect.name === "br"
    ? { args: close(`--reason=${reason}`) }
    : { args: close("--reason-file=-"), stdin: reason };
}

/** Assigns a bead to this actor, unless it is another's. */
export function claimCall(id: string, dialect: Dialect): Call {
  return { args: ["update", ...commonFlags(dialect), "--claim", "--", id] };
}

function commonFlags({ actor }: Dialect): string[] {
  return ["--json", ...(actor === undefined ? [] : [`--actor=${actor}`])];
}

/** The flags that set fields. A description goes through stdin: it may be longer than an argument can be. */
function fieldFlags(bead: Bead, names: string[], { name: program }: Dialect): { flags: string[]; stdin?: string } {
  let stdin: string | undefined;
  const fields = names.flatMap((name) => {
    if (programFields.has(name) || specialFields.has(name)) return [];
    const flag = flags[name];
    const value = bead[name];
    // An empty value clears a text or a date; there is no way to clear a number.
    if (flag === undefined || (value == null && name === "estimated_minutes")) throw cannotSet(program, name);
    if (name === "description" && program === "bd" && typeof value === "string" && value !== "") {
      stdin = value;
      return ["--body-file=-"];
    }
    return [`--${flag}=${typeof value === "number" ? value : typeof value === "string" ? value : ""}`];
  });
  return { flags: fields, ...(stdin !== undefined && { stdin }) };
}

function labelFlags(before: Bead, after: Bead): string[] {
  const [oldLabels, newLabels] = [labelsOf(before), labelsOf(after)];
  return [
    ...newLabels.filter((label) => !oldLabels.includes(label)).map((label) => `--add-label=${label}`),
    ...oldLabels.filter((label) => !newLabels.includes(label)).map((label) => `--remove-label=${label}`),
  ];
}

function dependencyCalls(before: Bead, after: Bead, dialect: Dialect): Call[] {
  const keyOf = (edge: BeadDependency): string => `${dependencyType(edge)}:${edge.depends_on_id}`;
  const missingFrom = (edges: BeadDependency[], others: BeadDependency[]): BeadDependency[] => {
    const keys = new Set(others.map(keyOf));
    return edges.filter((edge) => !keys.has(keyOf(edge)));
  };
  const call = (command: string, { depends_on_id: target }: BeadDependency, options: string[] = []): Call => ({
    args: ["dep", command, ...commonFlags(dialect), ...options, "--", after.id, target],
  });
  const [oldEdges, newEdges] = [dependenciesOf(before), dependenciesOf(after)];
  return [
    ...missingFrom(oldEdges, newEdges).map((edge) => call("remove", edge)),
    ...missingFrom(newEdges, oldEdges).map((edge) => call("add", edge, [`--type=${dependencyType(edge)}`])),
  ];
}

function cannotSet(program: string, name: string): ClewError {
  return new ClewError(
    "not_available",
    `these beads belong to a ${program} database, and ${program} has no way to set ${name}`,
    `${program} update --help shows what it can set`,
  );
}
