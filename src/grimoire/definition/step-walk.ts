import type { Path } from "./yaml-tree.ts";
import { isObject } from "../../text/is-object.ts";

/** A step as it stands in the file, valid or not. */
export interface WrittenStep {
  path: Path;
  /** Names from the outermost loop down to this step: `quality-loop/run-tests`. */
  label: string;
  fields: Record<string, unknown>;
  /** How many loops stand around it. */
  depth: number;
}

/** Every step of a grimoire in the order of the file; what is no step is left out. */
export function writtenSteps(grimoire: unknown): WrittenStep[] {
  const steps: WrittenStep[] = [];
  const walk = (parent: unknown, path: Path, labelPrefix: string, depth: number): void => {
    if (!isObject(parent) || !Array.isArray(parent["steps"])) return;
    for (const [index, fields] of parent["steps"].entries()) {
      if (!isObject(fields)) continue;
      const step = { path: [...path, "steps", index], label: labelPrefix + stepName(fields, index), fields, depth };
      steps.push(step);
      walk(fields, step.path, `${step.label}/`, depth + 1);
    }
  };
  walk(grimoire, [], "", 0);
  return steps;
}

/** The step that a path leads into: its label, and the rest of the path. */
export function stepAt(grimoire: unknown, path: Path): { label: string | undefined; rest: Path; stepPath: Path } {
  const labels: string[] = [];
  let value = grimoire;
  let at = 0;
  while (path[at] === "steps" && typeof path[at + 1] === "number") {
    value = (value as { steps: unknown[] }).steps[path[at + 1] as number];
    labels.push(stepName(value, path[at + 1] as number));
    at += 2;
  }
  return { label: labels.length > 0 ? labels.join("/") : undefined, rest: path.slice(at), stepPath: path.slice(0, at) };
}

function stepName(fields: unknown, index: number): string {
  const name = isObject(fields) ? fields["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : `step ${index + 1}`;
}
