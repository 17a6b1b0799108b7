import { ClewError } from "./errors.ts";

/** Which page of a list. `after` is the `next` of the page before. */
export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
}

const maxShown = 100;

/** The refusal of an `after` that no page of this list ended with. */
export function notAPlace(after: string): ClewError {
  return new ClewError(
    "invalid_input",
    `there is no place ${JSON.stringify(after.slice(0, maxShown))} in this list to go on after`,
    "give the next of the page before, as it is; without it, the list begins at its first page",
  );
}
