import { attempt } from "./attempt.ts";

/** What a text says as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown, undefined);
}
