import { dependenciesOf, dependencyType, labelsOf, type Bead, type BeadDependency } from "../../contract/bead.ts";
import { parentType } from "../../bead/readiness.ts";
import { ClewError } from "../../contract/errors.ts";

// Every value is joined to its flag, long texts come by stdin, and ids stand behind `--`: whatever data looks like, it is
// never taken for a flag.

/** One call of a program. */
export interface Call {
  args: string[];
  stdin?: string;
}

/** What `bd` and `br` have different words for. */
export interface Dialect {
  name: "bd" | "br";
  /** Joined to `create`, `update` and `close` by whoever calls them. */
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

/** Fields that the program keeps by itself. */
export const programFields = new Set(["id", "created_at", "created_by", "updated_at", "started_at", "closed_at"]);
/** Fields that have a way of their own. */
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

/** The calls that make one bead of the other, in order. */
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
    // The program tells that it was closed before, and clears what goes with that.
    ...(isReopening ? [{ args: ["reopen", ...commonFlags(dialect), "--", after.id] }] : []),
    ...(updates.length > 0 ? [{ args: ["update", ...commonFlags(dialect), ...updates, "--", after.id], ...rest }] : []),
    ...dependencyCalls(before, after, dialect),
    ...(isClosing ? [closeCall(after, dialect)] : []),
  ];
  // All of them before the first: half a change would stay.
  return calls.map((call) => requirePassable(call, dialect));
}

/** More than this the system gives to no program in one argument. */
const maxArgumentBytes = 120_000;

/** Throws when the system could not hand the call over. */
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
  const end = ["--", id];
  if (!reason) return { args: ["close", ...commonFlags(dialect), ...end] };
  if (dialect.name === "br") return { args: ["close", ...commonFlags(dialect), `--reason=${reason}`, ...end] };
  return { args: ["close", ...commonFlags(dialect), "--reason-file=-", ...end], stdin: reason };
}

/** Makes a bead this actor's, unless it is another's. */
export function claimCall(id: string, dialect: Dialect): Call {
  return { args: ["update", ...commonFlags(dialect), "--claim", "--", id] };
}

function commonFlags({ actor }: Dialect): string[] {
  return ["--json", ...(actor === undefined ? [] : [`--actor=${actor}`])];
}

/** A description may be longer than an argument can be. */
function fieldFlags(bead: Bead, names: string[], { name: program }: Dialect): { flags: string[]; stdin?: string } {
  let stdin: string | undefined;
  const flagged = names.flatMap((name) => {
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
  return { flags: flagged, ...(stdin !== undefined && { stdin }) };
}

function labelFlags(before: Bead, after: Bead): string[] {
  const [old, newLabels] = [labelsOf(before), labelsOf(after)];
  return [
    ...newLabels.filter((label) => !old.includes(label)).map((label) => `--add-label=${label}`),
    ...old.filter((label) => !newLabels.includes(label)).map((label) => `--remove-label=${label}`),
  ];
}

function dependencyCalls(before: Bead, after: Bead, dialect: Dialect): Call[] {
  const key = (each: ReturnType<typeof dependenciesOf>[number]): string =>
    `${dependencyType(each)}:${each.depends_on_id}`;
  const [old, newLabels] = [dependenciesOf(before), dependenciesOf(after)];
  const oldKeys = new Set(old.map(key));
  const wantedKeys = new Set(newLabels.map(key));
  return [
    ...old
      .filter((each) => !wantedKeys.has(key(each)))
      .map((each) => ({ args: ["dep", "remove", ...commonFlags(dialect), "--", after.id, each.depends_on_id] })),
    ...newLabels
      .filter((each) => !oldKeys.has(key(each)))
      .map((each) => ({
        args: [
          "dep",
          "add",
          ...commonFlags(dialect),
          `--type=${dependencyType(each)}`,
          "--",
          after.id,
          each.depends_on_id,
        ],
      })),
  ];
}

function cannotSet(program: string, name: string): ClewError {
  return new ClewError(
    "not_available",
    `these beads belong to a ${program} database, and ${program} has no way to set ${name}`,
    `${program} update --help shows what it can set`,
  );
}
