import { allSteps, type Step } from "../../contract/grimoire.ts";
import { decideWhen } from "../render/when.ts";
import { includedNames } from "../template/included-names.ts";
import type { ParseText } from "../template/parse-once.ts";
import type { Template } from "../template/parse.ts";
import { analyzeReferences } from "../template/references.ts";
import { TemplateError } from "../template/template-error.ts";
import { namesOf, outputOf, type Scope } from "./scope.ts";

/**
 * Steps whose condition is false whatever happens in the run, and all that is in them: `when: false`, or one that asks
 * only for what was there before the first step. `scope` is what was.
 */
export function neverRuns(steps: readonly Step[], scope: Scope, parse: ParseText): ReadonlySet<Step> {
  const all = [...allSteps([...steps])];
  const set = new Set(all.flatMap((step) => [...namesOf(step), outputOf(step)]));
  const isFixed = (template: Template): boolean => {
    const { references, usesAllData } = analyzeReferences(template);
    if (usesAllData || includedNames(template).length > 0) return false;
    return references.every(({ path: [name = ""] }) => name in scope && !set.has(name));
  };
  const isFalse = (when: boolean | string): boolean => {
    if (typeof when === "boolean") return !when;
    try {
      return isFixed(parse(when)) && decideWhen(when, scope, { parse }) === false;
    } catch (error) {
      // What is wrong with it is told where the step is walked.
      if (error instanceof TemplateError) return false;
      throw error;
    }
  };
  const never = new Set<Step>();
  for (const step of all) {
    if (step.when === undefined || !isFalse(step.when)) continue;
    for (const each of allSteps([step])) never.add(each);
  }
  return never;
}
