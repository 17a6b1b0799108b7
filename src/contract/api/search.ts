import * as z from "zod/mini";
import { reads, type ApiOf, type OperationTable } from "./operation.ts";
import { next, page } from "./paging.ts";
import { sessionName } from "./session-name.ts";

/** One place where all words stand. */
const searchHit = z.object({
  session_id: z.string(),
  path: z.string(),
  /** Line in session.md, from 1. */
  line: z.int(),
  phase: z.string(),
  /** What kind of entry it is, or `phase` for a heading. */
  kind: z.string(),
  excerpt: z.string(),
  /** Where in the excerpt the words stand. */
  spans: z.array(z.object({ start: z.int(), end: z.int() })),
});
export type SearchHit = z.infer<typeof searchHit>;

const searchHits = z.object({ hits: z.array(searchHit), ...next });
export type SearchHits = z.infer<typeof searchHits>;

export const searchOperations = {
  find: {
    ...reads,
    about: "Full text over all sessions: newest session first, and within a session the last entry first.",
    paged: true,
    request: z.strictObject({ text: z.string(), ...page, session: sessionName }),
    response: searchHits,
    errors: ["unknown_session", "ambiguous_session", "invalid_id"],
  },
} as const satisfies OperationTable;

export type SearchApi = ApiOf<typeof searchOperations>;
