import { isListType, readDataName, type DataName } from "./data-name.ts";
import { isObject } from "../text/is-object.ts";

/** An agent is told what its result must hold before it is refused for it. */
export function withRequiredOutputs(prompt: string, required: readonly string[]): string {
  if (required.length === 0) return prompt;
  const lines = dataNames(required).map((each) => `- \`${each.name}\`${typeWords(each)}\n`);
  return `${prompt.trimEnd()}\n\n## Outputs\n\nThe outputs of your result must hold each of these:\n\n${lines.join("")}`;
}

/** What the outputs of a result lack, completing "the result …"; undefined when they hold all that is required. */
export function missingOutputs(outputs: unknown, required: readonly string[]): string | undefined {
  const given = isObject(outputs) ? outputs : {};
  const problems = dataNames(required).flatMap((each): string[] => {
    const value = Object.hasOwn(given, each.name) ? given[each.name] : undefined;
    if (value === undefined || value === null) return [`lacks outputs.${each.name}`];
    return isListType(each) && !Array.isArray(value) ? [`has outputs.${each.name} that is no list`] : [];
  });
  return problems.length === 0 ? undefined : problems.join(", and ");
}

function dataNames(required: readonly string[]): DataName[] {
  return required.flatMap((text) => readDataName(text) ?? []);
}

function typeWords(each: DataName): string {
  if (each.type === undefined) return "";
  return isListType(each) ? ` (list of ${each.type.slice(0, -2)})` : ` (${each.type})`;
}
