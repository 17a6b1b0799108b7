import * as z from "zod/mini";
import { grimoireSchema, type GrimoireYaml } from "../../contract/grimoire-schema.ts";
import { isMapping, stepAt } from "./step-walk.ts";
import type { Path } from "./yaml-tree.ts";

/** What the schema makes of a grimoire. */
export interface Shape {
  grimoire: GrimoireYaml;
  /** Whether it is left open which variables are set: more than harmless fields is missing, or other checks failed. */
  isPartial: boolean;
}

/** Without these a step still sets and asks for what it would. */
const harmless = new Set(
  "timeout shell on_fail agent engine model requires detach max_iterations on_max_iterations".split(" "),
);

/**
 * Leaves out wrong fields, so that all the rest can be checked further. Steps that are none without such a field give way
 * to ones that do nothing, so that the others keep their places. Undefined when there is nothing to go on with.
 */
export function salvage(value: unknown, issues: readonly z.core.$ZodIssue[]): Shape | undefined {
  const copy = copyOf(value);
  if (!isMapping(copy) || !Array.isArray(copy["steps"])) return undefined;
  Object.assign(copy, { name: "draft", description: "-" });
  delete copy["timeout"];
  let isPartial = false;
  for (const { path } of issues) {
    const { stepPath, rest } = stepAt(value, path as Path);
    if (stepPath.length === 0) continue;
    isPartial ||= !harmless.has(String(rest[0]));
    leaveOut(copy, stepPath, rest[0]);
  }
  const first = z.safeParse(grimoireSchema, copy, { jitless: true });
  if (first.success) return { grimoire: first.data, isPartial };
  for (const { path } of first.error.issues) {
    const { stepPath } = stepAt(copy, path as Path);
    if (stepPath.length > 0) leaveOut(copy, stepPath, undefined);
  }
  const second = z.safeParse(grimoireSchema, copy, { jitless: true });
  return second.success ? { grimoire: second.data, isPartial: true } : undefined;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
}

function leaveOut(grimoire: Record<string, unknown>, path: Path, field: string | number | undefined): void {
  const places = path.filter((key) => typeof key === "number");
  let parent: unknown = grimoire;
  for (const index of places.slice(0, -1)) parent = stepsOf(parent)?.[index];
  const steps = stepsOf(parent);
  const last = places.at(-1)!;
  const step = steps?.[last];
  // A step around it was left out already.
  if (!steps) return;
  if (isMapping(step) && typeof field === "string" && !["steps", "type", "name"].includes(field)) delete step[field];
  else steps[last] = { name: `draft-${places.join("-")}`, type: "merge" };
}

function stepsOf(value: unknown): unknown[] | undefined {
  return isMapping(value) && Array.isArray(value["steps"]) ? value["steps"] : undefined;
}
