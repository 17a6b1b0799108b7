import { grimoireKeys, stepKeys } from "../../contract/grimoire-schema.ts";
import type { StepType } from "../../contract/grimoire.ts";
import { nearest } from "../../text/nearest.ts";
import { aStep, stepTypes } from "./step-type.ts";
import { didYouMean, listed } from "./words.ts";

/**
 * What to say about a key that does not belong where it stands, and the key that was likely meant. `fields` are the key's
 * neighbours; `owner` is the type of their step, or undefined at the top of the grimoire.
 */
export function unknownKey(
  key: string,
  fields: object,
  owner: StepType | undefined,
): { message: string; hint?: string; meant?: string | undefined } {
  const here = owner === undefined ? "this is the top of the grimoire" : `this is ${aStep(owner)}`;
  const homes = typesWith(key);
  if (homes.length > 0) return { message: `${key} belongs to ${listed(homes, "and")} steps; ${here}` };
  if (owner !== undefined && grimoireKeys.includes(key)) {
    return { message: `${key} belongs to the top of the grimoire; ${here}` };
  }
  const known: readonly string[] = owner === undefined ? grimoireKeys : stepKeys[owner];
  const free = known.filter((each) => !Object.hasOwn(fields, each));
  const meant = nearest(key, free);
  const whole = `${owner === undefined ? "a grimoire" : aStep(owner)} has ${listed(known, "and")}`;
  return { message: `unknown key ${key}`, hint: didYouMean(meant) ?? elsewhere(key) ?? whole, meant };
}

/** A key of another type of step that a misspelt one is near to. */
function elsewhere(key: string): string | undefined {
  const meant = nearest(key, [...new Set(Object.values(stepKeys).flat())]);
  return meant === undefined
    ? undefined
    : `did you mean ${meant}? it belongs to ${listed(typesWith(meant), "and")} steps`;
}

function typesWith(key: string): StepType[] {
  return stepTypes.filter((type) => stepKeys[type].includes(key));
}
