import * as z from "zod/mini";
import { permissionLevels } from "./engine-abilities.ts";
import { renderedGate } from "./gate.ts";
import { shells } from "./grimoire-values.ts";
import { limits, stoppedAtLimit } from "./limits.ts";
import { mergeOffer } from "./merge-offer.ts";
import { answeredPermission } from "./permission.ts";

/** Whether what left the step's process group may go on after it. */
const detach = z.exactOptional(z.literal(true));

const agentInput = z.object({
  kind: z.literal("agent"),
  prompt: z.string(),
  engine: z.string(),
  agent: z.exactOptional(z.string()),
  model: z.exactOptional(z.string()),
  /** Who it is and how it works, from the agent's file. */
  role: z.exactOptional(z.string()),
  /** `work` when it is missing. */
  level: z.exactOptional(z.enum(permissionLevels)),
  /** The only tools that it may use; all when it is missing. */
  tools: z.exactOptional(z.array(z.string())),
  /** What each attempt of the agent may use, by its file. */
  limits: z.exactOptional(limits),
  /** What must be shown before its result counts. */
  requires: z.exactOptional(z.array(renderedGate)),
  /** What its result must hold below `outputs`: names such as `plan` or `tests::Test[]`. */
  outputs: z.exactOptional(z.array(z.string())),
  detach,
  /** Why the attempt before was stopped, and what a person said to it: the agent goes on with that. */
  answered: z.exactOptional(answeredPermission),
  /** The attempt before was stopped at a limit, which was raised since: the agent goes on. */
  stopped_at: z.exactOptional(stoppedAtLimit),
});
export type AgentInput = z.infer<typeof agentInput>;

const scriptInput = z.object({
  kind: z.literal("script"),
  shell: z.enum(shells),
  /** Values stand in it as references to shell variables. */
  script: z.string(),
  /** The values by the name of their variable; they never become part of the script's text. */
  values: z.record(z.string(), z.string()),
  detach,
  /** Whether the result says on which tree it ran: a later merge verifies with the same command. */
  records_tree: z.exactOptional(z.literal(true)),
});
export type ScriptInput = z.infer<typeof scriptInput>;

const mergeInput = z.object({
  kind: z.literal("merge"),
  /** What is to be landed; null when the run's branch holds nothing that the target does not. */
  offer: z.nullable(mergeOffer),
});
export type MergeInput = z.infer<typeof mergeInput>;

/** What a step's handler gets. */
export const stepInput = z.discriminatedUnion("kind", [agentInput, scriptInput, mergeInput]);
export type StepInput = z.infer<typeof stepInput>;
