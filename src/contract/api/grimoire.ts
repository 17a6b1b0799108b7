import * as z from "zod/mini";
import { json } from "../json.ts";
import { givenLimits } from "../limits.ts";
import { grimoire } from "../pinned-run.ts";
import { preview } from "../preview.ts";
import { problem } from "../problem.ts";
import { lookupErrors } from "./run-lookup.ts";
import { reads, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();

/** A grimoire as lists show it. `description` is missing when the file cannot be read as one. */
const listedGrimoire = z.object({
  name: text,
  origin: text,
  file: text,
  description: z.exactOptional(text),
  steps: z.exactOptional(z.int()),
  errors: z.int(),
  /** A built-in one that the repository's own stands before. */
  overridden: z.boolean(),
});
export type ListedGrimoire = z.infer<typeof listedGrimoire>;

/** A grimoire as it is written, and as it is understood when nothing is wrong with it. */
const grimoireDetails = z.object({
  name: text,
  origin: text,
  file: text,
  text,
  grimoire: z.exactOptional(grimoire),
});
export type GrimoireDetails = z.infer<typeof grimoireDetails>;

/** Whether a merge step runs: what a run changes lands. Absent when the grimoire cannot be read. */
const lands = z.exactOptional(z.boolean());

const checkedGrimoire = z.object({ name: text, file: text, problems: z.array(problem), lands, valid: z.boolean() });
export type CheckedGrimoire = z.infer<typeof checkedGrimoire>;

/** The forms in which a grimoire is written. */
export const grimoireForms = ["markup", "yaml"] as const;

const convertedGrimoire = z.object({
  name: text,
  file: text,
  to: z.enum(grimoireForms),
  text,
  /** What the other form cannot express, each with the step or node that it is about. */
  losses: z.array(z.object({ step: z.exactOptional(text), message: text })),
  /** Whether a merge step of `text` runs. */
  lands: z.boolean(),
});
export type ConvertedGrimoire = z.infer<typeof convertedGrimoire>;

const addedHistory = z.object({
  file: text,
  /** The runs that were appended, and those that stood there already. */
  added: z.array(text),
  known: z.array(text),
});
export type AddedHistory = z.infer<typeof addedHistory>;

/** What a run is asked to begin with. */
export const runRequest = z.strictObject({
  bead: text,
  /** A name or a path; without it, the bead decides. */
  grimoire: z.optional(text),
  /** The engine of all agent steps, whatever they and their agents name. */
  engine: z.optional(text),
  /** The branch to work from and merge into. */
  target: z.optional(text),
  variables: z.record(text, json),
  /** Although the bead waits for others. */
  anyway: z.optional(z.boolean()),
  /** What its agents may use. */
  limits: z.exactOptional(givenLimits),
});
export type RunRequest = z.infer<typeof runRequest>;

export const grimoireOperations = {
  list: {
    ...reads,
    about: "The grimoires of this repository and the built-in ones.",
    request: z.strictObject({}),
    response: z.object({ grimoires: z.array(listedGrimoire) }),
    errors: [],
  },
  show: {
    ...reads,
    about: "A grimoire as it is written.",
    request: z.strictObject({ grimoire: text }),
    response: grimoireDetails,
    errors: ["unknown_grimoire", "invalid_grimoire"],
  },
  validate: {
    ...reads,
    about: "Checks a grimoire and its spells, or all of them: form, templates, variables, shell.",
    request: z.strictObject({ grimoire: z.optional(text) }),
    response: z.object({ grimoires: z.array(checkedGrimoire), valid: z.boolean() }),
    errors: ["unknown_grimoire", "invalid_grimoire"],
  },
  preview: {
    ...reads,
    about: "What a run would do, step by step, and what it would be refused for. Runs nothing.",
    request: z.strictObject({ ...runRequest.shape, variables: z.optional(runRequest.shape.variables) }),
    response: preview,
    errors: ["unknown_grimoire", "invalid_grimoire", "unknown_bead", "ambiguous_bead", "damaged_beads"],
  },
  convert: {
    ...reads,
    about: "A grimoire as workflow markup, or a workflow as YAML, and what that form cannot express.",
    request: z.strictObject({ grimoire: text, to: z.optional(z.enum(grimoireForms)) }),
    response: convertedGrimoire,
    errors: ["unknown_grimoire", "invalid_grimoire"],
  },
  history: {
    ...writesLocally,
    about: "Appends past executions to a workflow in markup, each once.",
    request: z.strictObject({ file: text, runs: z.array(text).check(z.minLength(1), z.maxLength(1000)) }),
    response: addedHistory,
    errors: ["invalid_grimoire", "not_possible_now", ...lookupErrors],
  },
  schema: {
    ...reads,
    about: "The JSON Schema of grimoires, for editors.",
    request: z.strictObject({}),
    response: z.record(text, json),
    errors: [],
  },
} as const satisfies OperationTable;

export type GrimoiresApi = ApiOf<typeof grimoireOperations>;
