import * as z from "zod/mini";
import type { Bead } from "./bead.ts";
import { mergeStrategies, shells, type Grimoire, type Step } from "./grimoire.ts";
import { json } from "./json.ts";

const text = z.string();
const optional = z.exactOptional(text);
const timeout_ms = z.exactOptional(z.number());

const base = {
  name: text,
  when: z.exactOptional(z.union([z.boolean(), text])),
  requires: z.exactOptional(z.array(json)),
};
const work = {
  ...base,
  input: z.record(text, json),
  output: optional,
  timeout_ms,
  on_fail: z.enum(["block", "continue"]),
  on_success: z.exactOptional(z.literal("exit_loop")),
  detach: z.exactOptional(z.boolean()),
};

const step: z.ZodMiniType<Step> = z.discriminatedUnion("type", [
  z.object({ ...work, type: z.literal("agent"), spell: text, agent: optional, engine: optional, model: optional }),
  z.object({ ...work, type: z.literal("script"), command: text, shell: z.enum(shells) }),
  z.object({
    ...base,
    type: z.literal("loop"),
    get steps() {
      return z.array(step);
    },
    max_iterations: z.number(),
    on_max_iterations: z.enum(["block", "exit", "continue"]),
    output: optional,
    timeout_ms,
  }),
  z.object({
    ...base,
    type: z.literal("merge"),
    require_review: z.boolean(),
    strategy: z.exactOptional(z.enum(mergeStrategies)),
    verify: optional,
    shell: z.exactOptional(z.enum(shells)),
    timeout_ms,
    on_changes: z.exactOptional(z.literal("continue")),
    on_success: z.exactOptional(z.literal("exit_loop")),
  }),
]);

/** A grimoire as it was checked; the YAML that it came from has a schema of its own. */
export const grimoire: z.ZodMiniType<Grimoire> = z.object({
  name: text,
  description: text,
  timeout_ms,
  steps: z.array(step),
});

const pinnedSpell = z.object({ origin: text, file: text, text });

/** The settings that a run goes by, as they were when it started. */
const runSettings = z.object({
  /** The engine of agent steps that name none. */
  engine: text,
  timeouts_ms: z.object({ run: z.number(), agent: z.number(), script: z.number() }),
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

/** What a run was started with. Nothing that is edited later changes it. */
export const pinnedRun = z.object({
  bead: z.looseObject({ id: text, title: text }) as unknown as z.ZodMiniType<Bead>,
  grimoire,
  /** Where the grimoire was found, for people. */
  grimoire_file: text,
  /** Spells and partials, unrendered, by their file's name. */
  spells: z.record(text, pinnedSpell),
  variables: z.record(text, json),
  settings: runSettings,
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
