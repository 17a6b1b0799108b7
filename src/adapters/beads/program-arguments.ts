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
export const keptByProgram = new Set(["id", "created_at", "created_by", "updated_at", "started_at", "closed_at"]);
/** Fields that have a way of their own. */
const special = new Set(["status", "close_reason", "labels", "dependencies"]);

export function createCall(bead: Bead, dialect: Dialect): Call {
  const dependencies = dependenciesOf(bead);
  const parent = dependencies.find((each) => dependencyType(each) === parentType);
  const others = dependencies.filter((each) => each !== parent);
  const { flags: fields, ...rest } = fieldFlags(bead, Object.keys(bead), dialect);
  const labels = labelsOf(bead);
  const args = [
    "create",
    ...common(dialect),
    ...fields,
    ...(labels.length > 0 ? [`--labels=${labels.join(",")}`] : []),
    ...(parent ? [`--parent=${parent.depends_on_id}`] : []),
    ...(others.length > 0 ? [`--deps=${others.map((each) => edgeWord(each, dialect)).join(",")}`] : []),
  ];
  return passable({ args, ...rest }, dialect);
}

/** To `bd create`, `blocks` is what the new bead does to the other one. */
function edgeWord(each: BeadDependency, { name }: Dialect): string {
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
    ...(isReopening ? [{ args: ["reopen", ...common(dialect), "--", after.id] }] : []),
    ...(updates.length > 0 ? [{ args: ["update", ...common(dialect), ...updates, "--", after.id], ...rest }] : []),
    ...dependencyCalls(before, after, dialect),
    ...(isClosing ? [closeCall(after, dialect)] : []),
  ];
  // All of them before the first: half a change would stay.
  return calls.map((call) => passable(call, dialect));
}

/** More than this the system gives to no program in one argument. */
const longestArgument = 120_000;

/** Throws when the system could not hand the call over. */
function passable(call: Call, { name }: Dialect): Call {
  for (const text of call.args) {
    const [, field = "an id", value = text] = /^--([a-z-]+)=([^]*)$/.exec(text) ?? [];
    const bytes = Buffer.byteLength(value);
    if (bytes > longestArgument) {
      throw new ClewError(
        "invalid_input",
        `${field} has ${bytes} bytes, and ${name} takes no more than ${longestArgument}`,
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
  if (!reason) return { args: ["close", ...common(dialect), ...end] };
  if (dialect.name === "br") return { args: ["close", ...common(dialect), `--reason=${reason}`, ...end] };
  return { args: ["close", ...common(dialect), "--reason-file=-", ...end], stdin: reason };
}

/** Makes a bead this actor's, unless it is another's. */
export function claimCall(id: string, dialect: Dialect): Call {
  return { args: ["update", ...common(dialect), "--claim", "--", id] };
}

function common({ actor }: Dialect): string[] {
  return ["--json", ...(actor === undefined ? [] : [`--actor=${actor}`])];
}

/** A description may be longer than an argument can be. */
function fieldFlags(bead: Bead, names: string[], { name: program }: Dialect): { flags: string[]; stdin?: string } {
  let stdin: string | undefined;
  const flagged = names.flatMap((name) => {
    if (keptByProgram.has(name) || special.has(name)) return [];
    const flag = flags[name];
    const value = bead[name];
    // An empty value clears a text or a date; there is no way to clear a number.
    if (flag === undefined || (value == null && name === "estimated_minutes")) throw notThrough(program, name);
    if (name === "description" && program === "bd" && typeof value === "string" && value !== "") {
      stdin = value;
      return ["--body-file=-"];
    }
    return [`--${flag}=${typeof value === "number" ? value : typeof value === "string" ? value : ""}`];
  });
  return { flags: flagged, ...(stdin !== undefined && { stdin }) };
}

function labelFlags(before: Bead, after: Bead): string[] {
  const [old, wanted] = [labelsOf(before), labelsOf(after)];
  return [
    ...wanted.filter((label) => !old.includes(label)).map((label) => `--add-label=${label}`),
    ...old.filter((label) => !wanted.includes(label)).map((label) => `--remove-label=${label}`),
  ];
}

function dependencyCalls(before: Bead, after: Bead, dialect: Dialect): Call[] {
  const key = (each: ReturnType<typeof dependenciesOf>[number]): string =>
    `${dependencyType(each)}:${each.depends_on_id}`;
  const [old, wanted] = [dependenciesOf(before), dependenciesOf(after)];
  const oldKeys = new Set(old.map(key));
  const wantedKeys = new Set(wanted.map(key));
  return [
    ...old
      .filter((each) => !wantedKeys.has(key(each)))
      .map((each) => ({ args: ["dep", "remove", ...common(dialect), "--", after.id, each.depends_on_id] })),
    ...wanted
      .filter((each) => !oldKeys.has(key(each)))
      .map((each) => ({
        args: ["dep", "add", ...common(dialect), `--type=${dependencyType(each)}`, "--", after.id, each.depends_on_id],
      })),
  ];
}

function notThrough(program: string, name: string): ClewError {
  return new ClewError(
    "not_available",
    `these beads belong to a ${program} database, and ${program} has no way to set ${name}`,
    `${program} update --help shows what it can set`,
  );
}
