import * as z from "zod/mini";
import { evidenceCall } from "../evidence.ts";
import { reads, type ApiOf, type OperationTable } from "./operation.ts";
import { next, page } from "./paging.ts";

const { v: _, type: __, ...fields } = evidenceCall.shape;
/** An observed call of a tool. One of a work session or a talk has a `session`, and neither run nor step. */
const evidence = z.object({
  ...fields,
  run: z.nullable(z.string()),
  step: z.nullable(z.string()),
  attempt: z.nullable(fields.attempt),
});
export type Evidence = z.infer<typeof evidence>;

const evidenceList = z.object({ evidence: z.array(evidence), ...next });
export type EvidenceList = z.infer<typeof evidenceList>;

export const evidenceOperations = {
  list: {
    ...reads,
    about:
      "What Clew saw agents do: calls of their tools, the newest run or session first, the calls of each in order.",
    paged: true,
    request: z.strictObject({
      /** By id, or by its bead's. */
      run: z.optional(z.string()),
      /** Only of this session: of a run, a work session or a talk. */
      session: z.optional(z.string()),
      step: z.optional(z.string()),
      /** Only what ran on this very tree. */
      tree: z.optional(z.string()),
      ...page,
    }),
    response: evidenceList,
    errors: ["unknown_run", "ambiguous_run"],
  },
  show: {
    ...reads,
    about: "One observed call.",
    request: z.strictObject({ evidence: z.string() }),
    response: z.object({ evidence }),
    errors: ["unknown_evidence"],
  },
} as const satisfies OperationTable;

export type EvidenceApi = ApiOf<typeof evidenceOperations>;
