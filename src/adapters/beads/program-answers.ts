import { beadProblem } from "../../bead/bead-shape.ts";
import type { Bead, BeadDependency } from "../../contract/bead.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";

/**
 * The objects that a program printed with `--json`, in an array, in `{data}`, `{items}` or `{issues}`, or alone. Undefined
 * when the output is no such document. Items that are no objects are left out.
 */
export function readObjects(output: string): Record<string, unknown>[] | undefined {
  return readList(output)?.filter(isObject);
}

/** The same with items that are no objects. */
export function readList(output: string): unknown[] | undefined {
  const inner = unwrap(parseJson(output));
  const items: unknown[] = Array.isArray(inner) ? inner : [inner];
  return items.length === 0 || items.some(isObject) ? items : undefined;
}

function unwrap(value: unknown): unknown {
  // What has an id is a bead; it may have a field of one of these names, too.
  if (!isObject(value) || typeof value["id"] === "string") return value;
  const name = ["data", "items", "issues"].find((each) => typeof value[each] === "object" && value[each] !== null);
  return name === undefined ? value : unwrap(value[name]);
}

/** A bead as a line of the file would have it, or a text that says why the item is none. */
export function readBead(item: unknown): Bead | string {
  if (!isObject(item)) return "not a JSON object";
  const { schema_version: _, ...fields } = item;
  const id = fields["id"];
  const bead = Array.isArray(fields["dependencies"])
    ? { ...fields, dependencies: fields["dependencies"].map((each: unknown) => edgeOf(String(id), each)) }
    : fields;
  return beadProblem(bead) ?? (bead as Bead);
}

/** `show` prints whole beads where other commands print `{issue_id, depends_on_id, type}`. */
function edgeOf(id: string, each: unknown): unknown {
  if (!isObject(each) || typeof each["depends_on_id"] === "string" || typeof each["id"] !== "string") return each;
  const type = each["dependency_type"];
  const edge: BeadDependency = {
    issue_id: id,
    depends_on_id: each["id"],
    type: typeof type === "string" ? type : "blocks",
  };
  return edge;
}

/**
 * Why a program failed: from `{error}`, a text or an object, on either stream, alone or behind other documents; or from
 * plain text.
 */
export function readFailure(stdout: string, stderr: string): { message: string; hint?: string } {
  for (const text of [stderr, stdout]) {
    for (const part of [text, ...text.split("\n").toReversed()]) {
      const failure = errorIn(part);
      if (failure !== undefined) return failure;
    }
  }
  const plain = (stderr.trim() || stdout.trim()).slice(-2000);
  return { message: plain.replace(/^error:\s*/i, "") };
}

function errorIn(text: string): { message: string; hint?: string } | undefined {
  if (!text.includes('"error"')) return undefined;
  const { error, hint } = (parseJson(text) ?? {}) as { error?: unknown; hint?: unknown };
  const inner = isObject(error) ? error : { message: error, hint };
  if (typeof inner["message"] !== "string") return undefined;
  return { message: inner["message"], ...(typeof inner["hint"] === "string" && { hint: inner["hint"] }) };
}
