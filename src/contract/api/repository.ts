import * as z from "zod/mini";
import { importedEngines } from "../import-values.ts";
import { reads, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

export const repositoryOperations = {
  show: {
    ...reads,
    about: "Where the repository is, and whether Clew was set up in it.",
    request: z.strictObject({}),
    response: z.object({ root: z.string(), is_set_up: z.boolean() }),
    errors: [],
  },
  init: {
    ...writesLocally,
    about: "Makes .clew/ with its ignore rules. Safe to repeat.",
    request: z.strictObject({}),
    response: z.object({
      root: z.string(),
      /** What was made. */
      made: z.array(z.string()),
      /** What of an earlier version was brought up to this one. */
      renewed: z.array(z.string()),
      /** Sessions that engines left on this machine, which no import has looked at yet. */
      importable: z.array(z.object({ engine: z.enum(importedEngines), sessions: z.int() })),
    }),
    errors: ["not_possible_now"],
  },
} as const satisfies OperationTable;

export type RepositoryApi = ApiOf<typeof repositoryOperations>;
