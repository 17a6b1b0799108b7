import * as z from "zod/mini";

/** What a request for a list may say. `after` is the `next` of the page before. */
export const page = {
  limit: z.optional(z.int().check(z.minimum(1))),
  after: z.optional(z.string()),
};

/** What the response to it has where more follows. */
export const next = { next: z.exactOptional(z.string()) };
