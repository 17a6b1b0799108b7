import * as z from "zod/mini";
import { breadcrumbKinds, breadcrumbLimits as limits } from "./breadcrumb-values.ts";
import { useSchemaMessages } from "./schema-messages.ts";

useSchemaMessages();

const text = z.string().check(z.maxLength(limits.text));
const line = z.string().check(z.minLength(1), z.maxLength(limits.line));
const count = z.int().check(z.minimum(0));
const instant = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const lineNumber = z.int().check(z.minimum(1));

const fields = {
  version: z.literal(1),
  /** When it began, as an ISO 8601 instant of UTC. */
  timestamp: instant,
  /** 0 is the session's own agent, one more for each subagent below it. */
  depth: z.int().check(z.minimum(0), z.maximum(limits.depth)),
  kind: z.enum(breadcrumbKinds),
  /** Of a subagent: the engine's id of the call that started it. Earlier versions left it out. */
  call: z.exactOptional(line),
  /** What the agent was told before this round; absent where it went on by itself. */
  prompt: z.exactOptional(text),
  /** What the agent said: in the round, or as its note. */
  response: z.exactOptional(text),
  tools_called: z.exactOptional(
    z
      .array(
        z.object({
          name: line,
          about: z.exactOptional(line),
          failed: z.boolean(),
          /** When it was made, and how long it took; earlier versions left these out. */
          at: z.exactOptional(instant),
          duration_ms: z.exactOptional(count),
        }),
      )
      .check(z.maxLength(limits.tools)),
  ),
  files_modified: z.exactOptional(z.array(line).check(z.maxLength(limits.files))),
  /** `cached` is a part of `input`. */
  tokens: z.exactOptional(z.object({ input: count, output: count, cached: z.exactOptional(count) })),
  cost_usd: z.exactOptional(z.number().check(z.minimum(0))),
  duration_ms: z.exactOptional(count),
  model: z.exactOptional(line),
  engine: z.exactOptional(line),
  engine_session: z.exactOptional(line),
  /** The lines of a file in `transcripts/ID/` that it tells of. */
  transcript: z.exactOptional(z.object({ file: line, from: lineNumber, to: lineNumber })),
  /** The bead that was worked on. */
  task: z.exactOptional(line),
};

/** A breadcrumb as its file has it. A later version may add fields. */
export const breadcrumbInFile = z.object(fields);

/** A breadcrumb that is to be written. */
export const breadcrumb: z.ZodMiniType<Breadcrumb> = z.strictObject(fields);

/** One piece of an agent's progress: a round of its engine, or what it noted itself. */
export type Breadcrumb = z.infer<typeof breadcrumbInFile>;
