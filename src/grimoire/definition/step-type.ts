import { stepKeys } from "../../contract/grimoire-schema.ts";
import type { StepType } from "../../contract/grimoire.ts";
import { nearest } from "../../text/nearest.ts";
import { didYouMean, joinWords, describeValue } from "./words.ts";

const stepTypes = Object.keys(stepKeys) as StepType[];

export function withArticle(type: StepType): string {
  return `${type === "agent" ? "an" : "a"} ${type} step`;
}

export function isStepType(value: unknown): value is StepType {
  return stepTypes.some((type) => type === value);
}

export function typesWith(key: string): StepType[] {
  return stepTypes.filter((type) => stepKeys[type].includes(key));
}

/** What to say about a word that does not belong where it stands, and the word that most likely does. */
export interface Correction<T extends string> {
  message: string;
  hint?: string;
  suggestion?: T | undefined;
}

/** For a step whose type is missing or unknown. */
export function describeWrongType(fields: Record<string, unknown>): Correction<StepType> {
  const { type } = fields;
  const names = joinWords(stepTypes, "or");
  const message = type === undefined ? "type: is missing" : `type: must be ${names}, not ${describeValue(type)}`;
  const nearestType = typeof type === "string" ? nearest(type, stepTypes) : undefined;
  if (isStepType(nearestType)) return { message, hint: didYouMean(nearestType)!, suggestion: nearestType };
  const suggestion = typeFromKeys(Object.keys(fields));
  if (suggestion) {
    return { message, hint: `its keys are those of ${withArticle(suggestion)}: type: ${suggestion}`, suggestion };
  }
  return type === undefined ? { message, hint: `write type: ${names}` } : { message };
}

/** The one type that has keys which no other type has. */
function typeFromKeys(keys: readonly string[]): StepType | undefined {
  const owners = keys.map(typesWith).filter((types) => types.length === 1);
  const uniqueTypes = new Set(owners.flat());
  return uniqueTypes.size === 1 ? [...uniqueTypes][0] : undefined;
}
