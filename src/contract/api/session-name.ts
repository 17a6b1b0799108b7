import * as z from "zod/mini";

/** An id, the beginning of one, a path, or `latest`. Without it, the one session that is active. */
export const sessionName = z.optional(z.string());

/** What keeps a session from being found. */
export const sessionLookupErrors = [
  "unknown_session",
  "ambiguous_session",
  "several_active",
  "no_active_session",
  "invalid_id",
] as const;
