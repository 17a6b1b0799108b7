import * as z from "zod/mini";
import { grimoireSchema, type GrimoireYaml } from "../../contract/grimoire-schema.ts";
import { isMapping, stepAt } from "./step-walk.ts";
import type { Path } from "./yaml-tree.ts";

/**
 * What is left of a grimoire when some of its steps are wrong: those give way to steps that do nothing, so that the others
 * keep their places and can be checked further. A loop with a wrong field stays, without that field. Undefined when there
 * is nothing to go on with.
 */
export function salvage(value: unknown, issues: readonly z.core.$ZodIssue[]): GrimoireYaml | undefined {
  const copy = copyOf(value);
  if (!isMapping(copy) || !Array.isArray(copy["steps"])) return undefined;
  Object.assign(copy, { name: "draft", description: "-" });
  delete copy["timeout"];
  for (const issue of issues) {
    const { stepPath, rest } = stepAt(value, issue.path as Path);
    if (stepPath.length > 0) leaveOut(copy, stepPath, rest[0]);
  }
  const result = z.safeParse(grimoireSchema, copy, { jitless: true });
  return result.success ? result.data : undefined;
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
  if (isMapping(step) && step["type"] === "loop" && typeof field === "string" && field !== "steps") delete step[field];
  else steps[last] = { name: `draft-${places.join("-")}`, type: "merge" };
}

function stepsOf(value: unknown): unknown[] | undefined {
  return isMapping(value) && Array.isArray(value["steps"]) ? value["steps"] : undefined;
}
