import * as z from "zod/mini";

/** An id, the beginning of one, a path, or `latest`. Without it, the one session that is active. */
export const sessionName = z.optional(z.string());
