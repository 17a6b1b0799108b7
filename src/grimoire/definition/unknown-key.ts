import { grimoireKeys, stepKeys } from "../../contract/grimoire-schema.ts";
import type { StepType } from "../../contract/grimoire.ts";
import { nearest } from "../../text/nearest.ts";
import { typesWith, withArticle, type Correction } from "./step-type.ts";
import { didYouMean, joinWords } from "./words.ts";

/** `fields` are the key's neighbours; `owner` is the type of their step, or undefined at the top of the grimoire. */
export function describeUnknownKey(key: string, fields: object, owner: StepType | undefined): Correction<string> {
  const location = owner === undefined ? "this is the top of the grimoire" : `this is ${withArticle(owner)}`;
  const types = joinWords(typesWith(key), "and");
  if (types !== "") return { message: `${key} belongs to ${types} steps; ${location}` };
  if (owner !== undefined && grimoireKeys.includes(key)) {
    return { message: `${key} belongs to the top of the grimoire; ${location}` };
  }
  const validKeys: readonly string[] = owner === undefined ? grimoireKeys : stepKeys[owner];
  const unusedKeys = validKeys.filter((each) => !Object.hasOwn(fields, each));
  const suggestion = nearest(key, unusedKeys);
  const allKeys = `${owner === undefined ? "a grimoire" : withArticle(owner)} has ${joinWords(validKeys, "and")}`;
  const hint = didYouMean(suggestion) ?? hintFromOtherTypes(key) ?? allKeys;
  return { message: `unknown key ${key}`, hint, suggestion };
}

/** For a key that resembles a key of another type of step. */
function hintFromOtherTypes(key: string): string | undefined {
  const suggestion = nearest(key, [...new Set(Object.values(stepKeys).flat())]);
  if (suggestion === undefined) return undefined;
  return `did you mean ${suggestion}? it belongs to ${joinWords(typesWith(suggestion), "and")} steps`;
}
