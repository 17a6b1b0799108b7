import * as z from "zod/mini";
import type { Bead } from "./bead.ts";
import { permissionLevels } from "./engine-abilities.ts";
import { gate } from "./gate.ts";
import { mergeStrategies, shells } from "./grimoire-values.ts";
import { json } from "./json.ts";
import { limits } from "./limits.ts";
import { policyEvents } from "./policy.ts";

const text = z.string();
const optional = z.exactOptional(text);
const timeout_ms = z.exactOptional(z.number());

const base = {
  name: text,
  /** A boolean, or a template of exactly one action whose value is one. Absent: the step always runs. */
  when: z.exactOptional(z.union([z.boolean(), text])),
};
/** What steps that do work have in common. */
const work = {
  ...base,
  /** Variables for this step alone; templates in the texts, at any depth. */
  input: z.record(text, json),
  /** The variable that holds what the step gave. */
  output: optional,
  timeout_ms,
  on_fail: z.enum(["block", "continue", "fail"]),
  on_success: z.exactOptional(z.literal("exit_loop")),
  /** Whether what left the step's process group may go on after it. */
  detach: z.exactOptional(z.boolean()),
};

const agentStep = z.object({
  ...work,
  type: z.literal("agent"),
  /** The name of a spell, or the spell itself when it has more than one line. */
  spell: text,
  agent: optional,
  engine: optional,
  model: optional,
  /** What must be shown before its result counts. */
  requires: z.exactOptional(z.array(gate)),
  /** What its result must hold below `outputs`: names such as `plan` or `tests::Test[]`. */
  outputs: z.exactOptional(z.array(text)),
});

const scriptStep = z.object({ ...work, type: z.literal("script"), command: text, shell: z.enum(shells) });

const loopFields = {
  max_iterations: z.number(),
  on_max_iterations: z.enum(["block", "exit", "continue"]),
  /** The variable that holds the output of the loop's last executed step. */
  output: optional,
  timeout_ms,
};
interface LoopStep extends z.infer<z.ZodMiniObject<typeof base & typeof loopFields>> {
  type: "loop";
  steps: Step[];
}

const mergeStep = z.object({
  ...base,
  type: z.literal("merge"),
  /** Whether a person must approve the diff first. */
  require_review: z.boolean(),
  /** Absent in runs of before there was a choice. */
  strategy: z.exactOptional(z.enum(mergeStrategies)),
  /** A command that must succeed on the merged tree before it is offered. */
  verify: optional,
  /** The shell that runs `verify`, and how long that may take. */
  shell: z.exactOptional(z.enum(shells)),
  timeout_ms,
  /** When a person asks for changes, the loop around begins its next iteration. */
  on_changes: z.exactOptional(z.literal("continue")),
  on_success: z.exactOptional(z.literal("exit_loop")),
});

export type Step = z.infer<typeof agentStep> | z.infer<typeof scriptStep> | LoopStep | z.infer<typeof mergeStep>;
const step: z.ZodMiniType<Step> = z.discriminatedUnion("type", [
  agentStep,
  scriptStep,
  z.object({
    ...base,
    type: z.literal("loop"),
    get steps() {
      return z.array(step);
    },
    ...loopFields,
  }),
  mergeStep,
]);

/**
 * A grimoire as the rest of the program sees it: checked, defaults filled in, durations in milliseconds. Plain data, so
 * that a run can pin it. The YAML form with its own rules is in `grimoire-schema.ts`.
 */
export const grimoire = z.object({
  name: text,
  description: text,
  /** How long a run may take; the program's default when absent. */
  timeout_ms,
  steps: z.array(step),
});

/** An agent as its file describes it; what the file does not say is missing. */
const pinnedAgent = z.object({
  file: text,
  role: optional,
  engine: optional,
  model: optional,
  level: z.exactOptional(z.enum(permissionLevels)),
  /** The only tools that it may use; its level still says what is asked. */
  tools: z.exactOptional(z.array(text)),
  max_cost: z.exactOptional(z.number()),
  max_tokens: z.exactOptional(z.number()),
  max_rounds: z.exactOptional(z.number()),
  max_time_ms: z.exactOptional(z.number()),
});
export type PinnedAgent = z.infer<typeof pinnedAgent>;

const pinnedSpell = z.object({ origin: text, file: text, text });

/** The settings that a run goes by, as they were when it started. */
const runSettings = z.object({
  /** The engine of agent steps where neither step nor agent names one. */
  engine: text,
  /** Whether the command named that engine, which then goes before what steps and agents name. */
  engine_by_flag: z.exactOptional(z.literal(true)),
  timeouts_ms: z.object({ run: z.number(), agent: z.number(), script: z.number() }),
  /** How long an agent waits for a permission before it is stopped; absent in runs of before it could wait. */
  permission_wait_ms: z.exactOptional(z.number()),
  /** What the agents of the run may use; absent without limits. */
  limits: z.exactOptional(limits),
  /** The file that the engine `scripted` plays; null when none was named. */
  script: z.nullable(text),
});
export type RunSettings = z.infer<typeof runSettings>;

/** A checkout of the run's own, on a branch of its own. */
const pinnedWorktree = z.object({
  branch: text,
  /** A command line that gets the checkout ready for work. */
  setup: z.nullable(text),
  /** What is copied into it from the main checkout: paths and globs. */
  copy: z.array(text),
  /** Whether it stays when the run is cancelled. */
  keep_cancelled: z.boolean(),
});

/** A rule of a policy that tightens, with where it stood. */
const pinnedRule = z.object({
  label: text,
  file: text,
  event: z.enum(policyEvents),
  decide: z.enum(["deny", "ask", "stop"]),
  tool: z.exactOptional(z.array(text)),
  command: optional,
  path: optional,
  step: optional,
  agent: optional,
  reason: optional,
});
export type PinnedRule = z.infer<typeof pinnedRule>;

/** What a run was started with. Nothing that is edited later changes it. */
export const pinnedRun = z.object({
  bead: z.looseObject({ id: text, title: text }) as unknown as z.ZodMiniType<Bead>,
  grimoire,
  /** Where the grimoire was found, for people. */
  grimoire_file: text,
  /** Spells and partials, unrendered, by their file's name. */
  spells: z.record(text, pinnedSpell),
  /** Agents by the name of their file; absent in runs of before there were files of agents. */
  agents: z.exactOptional(z.record(text, pinnedAgent)),
  /** By the name of a step, the channel of its node in markup; absent without any. */
  channels: z.exactOptional(z.record(text, text)),
  variables: z.record(text, json),
  settings: runSettings,
  /** What its agents are held to, whatever the files say later; absent in runs of before it was kept. */
  policy: z.exactOptional(z.array(pinnedRule)),
  /** The commit and the branch of the main checkout at the start; null when there is none. */
  base: z.nullable(text),
  target: z.nullable(text),
  /** Where the steps work. */
  folder: text,
  /** How that folder is made, before the first step; absent when it is there already. */
  worktree: z.exactOptional(pinnedWorktree),
  /** The steps of other runs that it was begun below, as their marks name them; absent when a person began it. */
  begun_below: z.exactOptional(z.array(text)),
});
export type PinnedRun = z.infer<typeof pinnedRun>;
