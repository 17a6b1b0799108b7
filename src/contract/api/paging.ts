import * as z from "zod/mini";

/** How many are wanted. */
export const countLimit = z.int().check(z.minimum(1), z.maximum(1_000_000_000));
/** The number of the last thing that is known; 0 before the first. */
export const nonNegativeInt = z.int().check(z.minimum(0));

/** What a request for a list may say. `after` is the `next` of the page before. */
export const page = {
  limit: z.optional(countLimit),
  after: z.optional(z.string()),
};

/** What the response to it has where more follows. */
export const next = { next: z.exactOptional(z.string()) };
