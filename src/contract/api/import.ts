import * as z from "zod/mini";
import { importedEngines } from "../import-values.ts";
import { writes, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const count = z.int();
const importRequest = z.strictObject({
  /** All, unless it is given. */
  engine: z.optional(z.enum(importedEngines)),
  /** Only transcripts that were written to at this time or later. */
  since: z.optional(z.string()),
  /** Those of other folders, too. */
  all_projects: z.optional(z.boolean()),
  /** Nothing is written. */
  dry_run: z.optional(z.boolean()),
});
export type ImportRequest = z.infer<typeof importRequest>;

const importResult = z.strictObject({
  /** Engine sessions that became sessions. */
  imported: count,
  /** Those that had gone on since the last import. */
  continued: count,
  unchanged: count,
  /** Files, and lines in them, that could not be read. */
  skipped: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
  /** Ids of the sessions that were made or continued. */
  sessions: z.array(z.string()),
});
export type ImportResult = z.infer<typeof importResult>;

export const importOperations = {
  run: {
    ...writesLocally,
    about: "Makes sessions of the transcripts that engines left on this machine.",
    request: importRequest,
    response: importResult,
    errors: [],
  },
  follow: {
    ...writesLocally,
    about: "The same again and again, until it is ended; tells each time that something was imported.",
    streams: true,
    request: importRequest,
    response: importResult,
    errors: [],
  },
  share: {
    ...writes,
    about: "Lets git see imported sessions, so that they can be committed.",
    request: z.strictObject({ sessions: z.array(z.string()) }),
    response: z.strictObject({ shared: z.array(z.string()) }),
    errors: ["unknown_session", "ambiguous_session", "invalid_id"],
  },
} as const satisfies OperationTable;

export type ImportsApi = ApiOf<typeof importOperations>;
