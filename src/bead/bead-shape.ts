import { tombstone } from "../contract/bead.ts";

type Fields = Record<string, unknown>;

/** The forms that Clew relies on. Unknown values of the right form are fine: they are kept and shown. */
const shapes: [name: string, isRight: (value: unknown) => boolean, form: string][] = [
  ["status", isText, "a text"],
  ["issue_type", isText, "a text"],
  ["priority", (value) => typeof value === "number", "a number"],
  ["labels", (value) => isListOf(value, isText), "a list of texts"],
  ["dependencies", (value) => isListOf(value, isDependency), "a list of objects with depends_on_id"],
];

/** Other records than beads name their kind. */
export function isOtherRecord(fields: Fields): boolean {
  return fields["_type"] !== undefined && fields["_type"] !== "issue";
}

/** Why these fields are no bead; undefined when they are one. Wherever beads come from, this alone decides. */
export function beadProblem(fields: Fields): string | undefined {
  const { id, title, status } = fields;
  if (typeof id !== "string" || id === "") return "no id";
  // All that counts of a deleted bead is its id.
  if (status === tombstone) return undefined;
  if (title == null) return "title is missing";
  if (typeof title !== "string") return "title must be a text";
  const wrongShape = shapes.find(([name, isRight]) => fields[name] != null && !isRight(fields[name]));
  return wrongShape && `${wrongShape[0]} must be ${wrongShape[2]}`;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isListOf(value: unknown, isRight: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

function isDependency(value: unknown): boolean {
  const target = (value as { depends_on_id?: unknown } | null)?.depends_on_id;
  return typeof target === "string" && target !== "";
}
