import * as z from "zod/mini";
import { codifyFormats } from "../codify-values.ts";
import { problem } from "../problem.ts";
import { usage } from "../run-fields.ts";
import { reads, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();
const format = z.enum(codifyFormats);
const sessions = z.array(text);
/** What a grimoire shall be called; without it, as in the run, or after the session. */
const name = z.optional(text);

const sessionErrors = [
  "unknown_session",
  "ambiguous_session",
  "several_active",
  "no_active_session",
  "invalid_id",
  "damaged_session",
  "damaged_run",
  "not_possible_now",
  "invalid_grimoire",
] as const;

/** A workflow that was made of what sessions did. */
const codified = z.strictObject({
  format,
  /** The sessions that it comes from. */
  sessions,
  /** What the grimoire or the skill is called. */
  name: text,
  text,
  /** What could not be told, left out or cut. */
  notes: z.array(text),
  problems: z.array(problem),
  valid: z.boolean(),
});
export type CodifiedText = z.infer<typeof codified>;

const checked = {
  problems: z.array(problem),
  valid: z.boolean(),
  /** What lands nowhere, and commands that are new and were not seen to run. */
  notes: z.array(text),
};

export const codifyOperations = {
  extract: {
    ...reads,
    about: "Makes a workflow of what sessions did; of several, what they have in common.",
    request: z.strictObject({ sessions, format: z.optional(format), name }),
    response: codified,
    errors: sessionErrors,
  },
  check: {
    ...reads,
    about: "Checks a workflow that a person or an agent changed, before it is a file.",
    request: z.strictObject({
      format,
      text,
      /** As it was codified: what is new beside that is told. */
      before: z.optional(text),
    }),
    response: z.strictObject(checked),
    errors: [],
  },
  refine: {
    ...writesLocally,
    about: "Has an agent improve a codified workflow. What no longer validates is answered with its problems.",
    request: z.strictObject({
      sessions,
      format: z.optional(format),
      name,
      engine: z.optional(text),
      model: z.optional(text),
    }),
    response: z.strictObject({
      /** As it was before. */
      original: codified,
      engine: text,
      model: z.exactOptional(text),
      text,
      /** How the agent's text differs from the original. */
      diff: text,
      ...checked,
      usage: z.exactOptional(usage),
    }),
    errors: [...sessionErrors, "engine_failed", "unknown_engine"],
  },
} as const satisfies OperationTable;

export type CodifyApi = ApiOf<typeof codifyOperations>;
