import { stepKeys } from "../../contract/grimoire-schema.ts";
import type { StepType } from "../../contract/grimoire.ts";
import { nearest } from "../../text/nearest.ts";
import { didYouMean, listed, shown } from "./words.ts";

export const stepTypes = Object.keys(stepKeys) as StepType[];

export function aStep(type: StepType): string {
  return `${type === "agent" ? "an" : "a"} ${type} step`;
}

export function isStepType(value: unknown): value is StepType {
  return stepTypes.some((type) => type === value);
}

export function isStepKey(key: string): boolean {
  return stepTypes.some((type) => stepKeys[type].includes(key));
}

/** What to say about a step whose type is missing or unknown, and the type that it most likely has. */
export function wrongType(fields: Record<string, unknown>): { message: string; hint?: string; meant?: StepType } {
  const { type } = fields;
  const message =
    type === undefined ? "type: is missing" : `type: must be ${listed(stepTypes, "or")}, not ${shown(type)}`;
  const spelt = typeof type === "string" ? nearest(type, stepTypes) : undefined;
  if (isStepType(spelt)) return { message, hint: didYouMean(spelt)!, meant: spelt };
  const meant = typeOfKeys(Object.keys(fields));
  if (meant) return { message, hint: `its keys are those of ${aStep(meant)}: type: ${meant}`, meant };
  return type === undefined ? { message, hint: `write type: ${listed(stepTypes, "or")}` } : { message };
}

/** The one type that some of the keys belong to and to no other. */
function typeOfKeys(keys: readonly string[]): StepType | undefined {
  const types = keys.map((key) => stepTypes.filter((type) => stepKeys[type].includes(key)));
  const telling = new Set(types.filter((some) => some.length === 1).flat());
  return telling.size === 1 ? [...telling][0] : undefined;
}
