import { allSteps, type Step } from "../../contract/grimoire.ts";
import { decideWhen } from "../render/when.ts";
import { includedNames } from "../template/included-names.ts";
import type { ParseText } from "../template/parse-once.ts";
import type { Template } from "../template/parse.ts";
import { analyzeReferences } from "../template/references.ts";
import { TemplateError } from "../template/template-error.ts";
import { namesOf, outputName, type PreviewScope } from "./scope.ts";

/**
 * Steps whose condition is false whatever happens in the run, with all steps in them: `when: false`, or a condition
 * that uses only variables of `scope`, which is the scope before the first step.
 */
export function unreachableSteps(steps: readonly Step[], scope: PreviewScope, parse: ParseText): ReadonlySet<Step> {
  const all = [...allSteps([...steps])];
  const namesSet = new Set(all.flatMap((step) => [...namesOf(step), outputName(step)]));
  const isFixed = (template: Template): boolean => {
    const { references, usesAllData } = analyzeReferences(template);
    if (usesAllData || includedNames(template).length > 0) return false;
    return references.every(({ path: [name = ""] }) => name in scope && !namesSet.has(name));
  };
  const isFalse = (when: boolean | string): boolean => {
    if (typeof when === "boolean") return !when;
    try {
      return isFixed(parse(when)) && decideWhen(when, scope, { parse }) === false;
    } catch (error) {
      // The preview of the step reports it.
      if (error instanceof TemplateError) return false;
      throw error;
    }
  };
  const unreachable = new Set<Step>();
  for (const step of all) {
    if (step.when === undefined || !isFalse(step.when)) continue;
    for (const each of allSteps([step])) unreachable.add(each);
  }
  return unreachable;
}
