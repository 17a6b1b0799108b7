import { reservedNames } from "../../contract/grimoire.ts";
import type { Report } from "./finding.ts";
import { isMapping, type WrittenStep } from "./step-walk.ts";
import type { Path, YamlTree } from "./yaml-tree.ts";

/** How a name is written in a template, where a dash cannot stand. */
function folded(name: string): string {
  return name.replaceAll("-", "_");
}

/**
 * Rules for names. Step names, outputs and what every template knows share one scope, so that each name must mean one
 * thing; only outputs may be set by several steps.
 */
export function checkNames(
  steps: readonly WrittenStep[],
  tree: YamlTree,
  placeName: (offset: number) => string,
  report: Report,
): void {
  const owners = new Map<string, WrittenStep>();
  const placeOf = (step: WrittenStep): string => placeName(tree.offsetOf([...step.path, "name"]));

  const refuseReserved = (name: string, what: string, step: WrittenStep, offset: number): void => {
    if (!reservedNames.includes(folded(name))) return;
    const hint = "templates know this name already; choose another";
    report({ offset, step: step.label, message: `${what}: ${name} is reserved`, hint });
  };

  for (const step of steps) {
    const { name } = step.fields;
    if (typeof name !== "string") continue;
    const offset = tree.offsetOf([...step.path, "name"]);
    refuseReserved(name, "name", step, offset);
    const first = owners.get(folded(name));
    if (!first) {
      owners.set(folded(name), step);
      continue;
    }
    const message = `name: ${name} is already the name of the step at ${placeOf(first)}`;
    const hint = first.fields["name"] === name ? undefined : "templates take - and _ as the same; choose another name";
    report({ offset, step: step.label, message, hint });
  }

  for (const step of steps) {
    const { output, input } = step.fields;
    if (typeof output === "string") {
      const offset = tree.offsetOf([...step.path, "output"]);
      refuseReserved(output, "output", step, offset);
      const owner = owners.get(folded(output));
      if (owner) report({ offset, step: step.label, ...takenOutput(output, owner, step, placeOf) });
    }
    for (const name of isMapping(input) ? Object.keys(input) : []) {
      const path: Path = [...step.path, "input", name];
      refuseReserved(name, "input", step, tree.keyOffsetOf(path));
    }
  }
}

function takenOutput(
  output: string,
  owner: WrittenStep,
  step: WrittenStep,
  placeOf: (step: WrittenStep) => string,
): { message: string; hint: string } {
  if (owner !== step) {
    return { message: `output: ${output} is the name of the step at ${placeOf(owner)}`, hint: "choose another name" };
  }
  return {
    message: `output: ${output} is the name of the step itself`,
    hint: `its output is already there as {{.${folded(output)}.output}}; choose another name`,
  };
}
