import * as z from "zod/mini";
import { permissionLevels } from "./engine-abilities.ts";
import { bead } from "./api/bead-shapes.ts";
import { errorCodes } from "./errors.ts";
import { stepTypes } from "./grimoire.ts";
import { mergeStrategies, shells } from "./grimoire-values.ts";
import { json } from "./json.ts";
import { limits } from "./limits.ts";
import { problem } from "./problem.ts";

const text = z.string();
const optional = z.exactOptional(text);
const count = z.exactOptional(z.int());

/** What a command would be refused with. */
export const refusal = z.object({ code: z.enum(errorCodes), message: text, hint: text });
export type Refusal = z.infer<typeof refusal>;

const stepFields = z.object({
  /** The names of the steps around it and its own: `quality-loop/run-tests`. */
  path: text,
  name: text,
  type: z.enum(stepTypes),
  /** `value` is null when only the run can tell, and missing when something is wrong with it. */
  when: z.exactOptional(
    z.object({ source: z.union([z.boolean(), text]), value: z.exactOptional(z.nullable(z.boolean())) }),
  ),
  /** What the step gets: a variable, how it is written, and its value. */
  input: z.exactOptional(z.array(z.object({ name: text, source: json, value: json }))),
  /** The variables that the step sets. */
  sets: z.array(text),
  timeout_ms: z.exactOptional(z.number()),
  on_fail: optional,
  on_success: optional,
  /** What left its process group goes on after it. */
  detach: z.exactOptional(z.literal(true)),
  spell: z.exactOptional(z.object({ name: z.nullable(text), origin: text, file: text, partials: z.array(text) })),
  agent: optional,
  /** The file that describes the agent; engine, model, level, role, tools and limits may come from it. */
  agent_file: optional,
  engine: optional,
  model: optional,
  level: z.exactOptional(z.enum(permissionLevels)),
  role: optional,
  /** The only tools that the agent may use. */
  tools: z.exactOptional(z.array(text)),
  /** What each attempt of the agent may use, by its file. */
  limits: z.exactOptional(limits),
  prompt: optional,
  shell: z.exactOptional(z.enum(shells)),
  /** The command with every value escaped for its place. */
  command: optional,
  max_iterations: count,
  on_max_iterations: optional,
  require_review: z.exactOptional(z.boolean()),
  strategy: z.exactOptional(z.enum(mergeStrategies)),
  /** The command that is run on the merged tree, with every value escaped for its place. */
  verify: optional,
  /** What must be shown before an agent's result counts, in words. */
  requires: z.exactOptional(z.array(text)),
  /** What the outputs of the agent's result must hold. */
  outputs: z.exactOptional(z.array(text)),
  on_changes: optional,
});
export interface PreviewStep extends z.infer<typeof stepFields> {
  /** What a loop repeats. */
  steps?: PreviewStep[];
}
const previewStep: z.ZodMiniType<PreviewStep> = z.extend(stepFields, {
  get steps() {
    return z.exactOptional(z.array(previewStep));
  },
});

/** What a run of a grimoire over a bead would do. What only exists in the run stands as `⟨name: type⟩`. */
export const preview = z.object({
  grimoire: z.object({ name: text, description: text, origin: text, file: text, timeout_ms: z.number() }),
  bead: z.nullable(bead),
  /** Why this grimoire, when the bead decided. */
  because: optional,
  variables: z.record(text, json),
  steps: z.array(previewStep),
  problems: z.array(problem),
  /** Why a run would not begin, though nothing need be wrong with the files. */
  refusals: z.array(refusal),
  /** Whether a merge step runs: what a run changes lands. Absent when the grimoire cannot be read. */
  lands: z.exactOptional(z.boolean()),
  /** No problem is an error, and nothing would be refused. */
  valid: z.boolean(),
});
export type Preview = z.infer<typeof preview>;
