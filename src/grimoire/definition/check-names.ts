import { reservedNames, templateName } from "../../contract/grimoire.ts";
import type { Report } from "./unplaced-problem.ts";
import type { WrittenStep } from "./step-walk.ts";
import type { Path, PlacedTree } from "./yaml-tree.ts";
import { isObject } from "../../text/is-object.ts";

/**
 * Rules for names. Step names, outputs and what every template knows share one scope, so that each name must mean one
 * thing; only outputs may be set by several steps.
 */
export function checkNames(
  steps: readonly WrittenStep[],
  tree: PlacedTree,
  describePlace: (offset: number) => string,
  report: Report,
): void {
  const stepsByName = new Map<string, WrittenStep>();
  const stepPlace = (step: WrittenStep): string => describePlace(tree.offsetOf([...step.path, "name"]));

  const refuseReserved = (name: string, what: string, step: WrittenStep, offset: number): void => {
    if (!reservedNames.includes(templateName(name))) return;
    const hint = "templates know this name already; choose another";
    report({ offset, step: step.label, message: `${what}: ${name} is reserved`, hint });
  };

  for (const step of steps) {
    const { name } = step.fields;
    if (typeof name !== "string") continue;
    const offset = tree.offsetOf([...step.path, "name"]);
    refuseReserved(name, "name", step, offset);
    const first = stepsByName.get(templateName(name));
    if (!first) {
      stepsByName.set(templateName(name), step);
      continue;
    }
    const message = `name: ${name} is already the name of the step at ${stepPlace(first)}`;
    const hint = first.fields["name"] === name ? undefined : "templates take - and _ as the same; choose another name";
    report({ offset, step: step.label, message, hint });
  }

  for (const step of steps) {
    const { output, input } = step.fields;
    if (typeof output === "string") {
      const offset = tree.offsetOf([...step.path, "output"]);
      refuseReserved(output, "output", step, offset);
      const namesake = stepsByName.get(templateName(output));
      const place = namesake && namesake !== step ? stepPlace(namesake) : undefined;
      if (namesake) report({ offset, step: step.label, ...outputConflict(output, place) });
    }
    for (const name of isObject(input) ? Object.keys(input) : []) {
      const path: Path = [...step.path, "input", name];
      refuseReserved(name, "input", step, tree.keyOffsetOf(path));
    }
  }
}

/** `place` is where the other step stands that has the name; undefined when it is the step's own name. */
function outputConflict(output: string, place: string | undefined): { message: string; hint: string } {
  if (place !== undefined) {
    return { message: `output: ${output} is the name of the step at ${place}`, hint: "choose another name" };
  }
  return {
    message: `output: ${output} is the name of the step itself`,
    hint: `its output is already there as {{.${templateName(output)}.output}}; choose another name`,
  };
}
