import * as z from "zod/mini";
import { grimoireSchema, type GrimoireYaml } from "../../contract/grimoire-schema.ts";
import { stepAt } from "./step-walk.ts";
import type { Path } from "./yaml-tree.ts";
import { isObject } from "../../text/is-object.ts";

/** What the schema makes of a grimoire. */
export interface Shape {
  grimoire: GrimoireYaml;
  /** Whether it is left open which variables are set: more than harmless fields is missing, or other checks failed. */
  isPartial: boolean;
}

/** Fields without which a step still sets and asks for the same variables. */
const neutralFields = new Set(
  "timeout shell on_fail agent engine model requires outputs detach max_iterations on_max_iterations".split(" "),
);

/**
 * Drops wrong fields, so that the rest can be checked further. A step that needs such a field is replaced by one that
 * does nothing, so that the others keep their places. Undefined when no steps can be salvaged.
 */
export function salvage(value: unknown, issues: readonly z.core.$ZodIssue[]): Shape | undefined {
  const copy = deepCopy(value);
  if (!isObject(copy) || !Array.isArray(copy["steps"])) return undefined;
  Object.assign(copy, { name: "draft", description: "-" });
  delete copy["timeout"];
  let isPartial = false;
  for (const { path } of issues) {
    const { stepPath, rest } = stepAt(value, path as Path);
    if (stepPath.length === 0) continue;
    isPartial ||= !neutralFields.has(String(rest[0]));
    dropField(copy, stepPath, rest[0]);
  }
  const first = z.safeParse(grimoireSchema, copy, { jitless: true });
  if (first.success) return { grimoire: first.data, isPartial };
  for (const { path } of first.error.issues) {
    const { stepPath } = stepAt(copy, path as Path);
    if (stepPath.length > 0) dropField(copy, stepPath, undefined);
  }
  const second = z.safeParse(grimoireSchema, copy, { jitless: true });
  return second.success ? { grimoire: second.data, isPartial: true } : undefined;
}

function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deepCopy(each)]));
}

function dropField(grimoire: Record<string, unknown>, path: Path, field: string | number | undefined): void {
  const indexes = path.filter((key) => typeof key === "number");
  let parent: unknown = grimoire;
  for (const index of indexes.slice(0, -1)) parent = stepsOf(parent)?.[index];
  const steps = stepsOf(parent);
  const lastIndex = indexes.at(-1)!;
  const step = steps?.[lastIndex];
  // A step around it was replaced already.
  if (!steps) return;
  if (isObject(step) && typeof field === "string" && !["steps", "type", "name"].includes(field)) delete step[field];
  else steps[lastIndex] = { name: `draft-${indexes.join("-")}`, type: "merge" };
}

function stepsOf(value: unknown): unknown[] | undefined {
  return isObject(value) && Array.isArray(value["steps"]) ? value["steps"] : undefined;
}
