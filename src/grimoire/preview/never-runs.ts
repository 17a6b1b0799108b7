import { allSteps, type Step } from "../../contract/grimoire.ts";
import { decideWhen } from "../render/when.ts";
import { includedNames } from "../template/included-names.ts";
import { parseTemplate, type Template } from "../template/parse.ts";
import { references, usesAllData } from "../template/references.ts";
import { TemplateError } from "../template/template-error.ts";
import { namesOf, outputOf, type Scope } from "./scope.ts";

/**
 * Steps whose condition is false whatever happens in the run, and all that is in them: `when: false`, or one that asks
 * only for what was there before the first step. `scope` is what was.
 */
export function neverRuns(steps: readonly Step[], scope: Scope): ReadonlySet<Step> {
  const all = [...allSteps([...steps])];
  const set = new Set(all.flatMap((step) => [...namesOf(step), outputOf(step)]));
  const isFixed = (template: Template): boolean =>
    !usesAllData(template) &&
    includedNames(template).length === 0 &&
    references(template).every(({ path: [name = ""] }) => name in scope && !set.has(name));
  const never = new Set<Step>();
  for (const step of all) {
    if (step.when === undefined || !isFalse(step.when, scope, isFixed)) continue;
    for (const each of allSteps([step])) never.add(each);
  }
  return never;
}

function isFalse(when: boolean | string, scope: Scope, isFixed: (template: Template) => boolean): boolean {
  if (typeof when === "boolean") return !when;
  try {
    return isFixed(parseTemplate("", when)) && decideWhen(when, scope) === false;
  } catch (error) {
    // What is wrong with it is told where the step is walked.
    if (error instanceof TemplateError) return false;
    throw error;
  }
}
