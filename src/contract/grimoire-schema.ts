import * as z from "zod/mini";
import { defaultMergeStrategy, mergeStrategies, shells } from "./grimoire-values.ts";
import { dataNamePattern } from "./data-name.ts";
import { grimoireName } from "./grimoire.ts";
import type { Json } from "./json.ts";
import { durationField, filledText } from "./yaml-fields.ts";
import { useSchemaMessages } from "./schema-messages.ts";

useSchemaMessages();

/**
 * A grimoire as it is written in YAML. Every message completes "FIELD: …", so that the reader of a grimoire only adds the
 * field and its value. Each field is a schema of its own, because `about` describes schemas.
 */

/** What an editor shows. */
export const about = z.registry<{ id?: string; description: string }>();

/** Limits on what a file may ask for. */
export const grimoireLimits = { bytes: 1024 * 1024, steps: 1000, loopDepth: 8, iterations: 1000 } as const;

const described = <Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema => {
  about.add(schema, { description });
  return schema;
};

const text = () => z.string({ error: "must be text" });
const identifier = () =>
  text().check(
    z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, {
      error: "must be like test_result (letters, digits and _, no digit first, at most 64)",
    }),
  );

const wholeNumber = (least: number, most: number) => {
  const range = { error: `must be a whole number from ${least} to ${most}` };
  return z.int(range).check(z.minimum(least, range), z.maximum(most, range));
};

const stepName = described(
  "The step's name, unique in the grimoire. Later steps see its result under this name, with _ for -.",
  text().check(
    z.regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
      error: "must be like run-tests (letters, digits, - and _, a letter first, at most 64)",
    }),
  ),
);

/** What decides whether a step runs. */
const guardFields = {
  when: described(
    'Whether the step runs: true, false, or one template action that gives a boolean, such as "{{.previous.failed}}".',
    z.exactOptional(z.union([z.boolean(), z.string()], { error: "must be true, false or a template" })),
  ),
};

/** What steps that do work have in common. */
const workFields = {
  // The reader of the YAML lets nothing but JSON through, so that values need no check here.
  input: described(
    "Variables for this step alone: names and any values. Texts in them may be templates.",
    z._default(
      z.record(identifier(), z.unknown() as z.ZodMiniType<Json>, { error: "must be a mapping of names to values" }),
      {},
    ),
  ),
  output: described("The variable that holds what the step gave.", z.exactOptional(identifier())),
  timeout: described(
    "How long the step may take, such as 10m. Without it, 15m for agent steps and 5m for script steps.",
    z.exactOptional(durationField()),
  ),
  on_fail: described(
    "What follows when the step fails: block the run, continue with the next step, or fail the run.",
    z._default(z.enum(["block", "continue", "fail"]), "block"),
  ),
  on_success: described("Leave the loop around this step when it succeeds.", z.exactOptional(z.enum(["exit_loop"]))),
  detach: described(
    "Whether what the step started, and what left its process group, may go on after it. Without it, all of that ends.",
    z.exactOptional(z.boolean({ error: "must be true or false" })),
  ),
};

const fileGlobs = (description: string) =>
  described(description, z.exactOptional(z.array(filledText(), { error: "must be a list of globs such as src/**" })));

/** Both forms in one, so that each field has words of its own; `definition/check-gates.ts` says what goes together. */
const gateYaml = z.strictObject(
  {
    tool: described(
      "The tool that the agent must have used: shell, edit, read, or a tool by its engine's own name. shell where match is given.",
      z.exactOptional(filledText()),
    ),
    match: described(
      "The words of the one command that must have run: * stands for one word, ... at the end for any others.",
      z.exactOptional(filledText()),
    ),
    exit: described("How that command must have ended; 0 without it.", z.exactOptional(wholeNumber(0, 255))),
    count: described("How often at least; once without it.", z.exactOptional(wholeNumber(1, 1000))),
    covers: fileGlobs(
      "The files that it is evidence of; all without it. When one of them changes later, it counts no more.",
    ),
    fresh: described(
      "Whether changes of these files make it stale; true without it.",
      z.exactOptional(z.boolean({ error: "must be true or false" })),
    ),
    keeps: fileGlobs(
      "Files that must be as they were when the run began. Without it: the script in package.json, the makefile or the file that the command names.",
    ),
    command: described(
      "A command that Clew itself runs when the agent is done. What a template puts into it is data.",
      z.exactOptional(filledText()),
    ),
    shell: described("The shell that runs it; sh without it.", z.exactOptional(z.enum(shells))),
    expect: described(
      "How it must end: an exit code, or a text that stands in what it prints. 0 without it.",
      z.exactOptional(
        z.union([z.int().check(z.minimum(0), z.maximum(255)), filledText()], {
          error: "must be an exit code or a text",
        }),
      ),
    ),
    timeout: described(
      "How long it may take, such as 10m; without it, as long as the step.",
      z.exactOptional(durationField()),
    ),
  },
  { error: (issue) => (issue.code === "invalid_type" ? "must be a mapping" : undefined) },
);
export type GateYaml = z.infer<typeof gateYaml>;

const agentStep = z.strictObject({
  name: stepName,
  type: described("An agent works on a spell.", z.literal("agent")),
  ...guardFields,
  spell: described(
    "The name of a spell in .clew/spells/, or the spell itself when it has more than one line.",
    filledText(),
  ),
  agent: described("The agent (the role) that works.", z.exactOptional(filledText())),
  engine: described("The engine that runs the agent.", z.exactOptional(filledText())),
  model: described("The model that the engine uses.", z.exactOptional(filledText())),
  requires: described(
    "What must be shown before the agent's result counts: calls that Clew saw, or commands that Clew runs itself.",
    z.exactOptional(
      z
        .array(gateYaml, { error: "must be a list of mappings" })
        .check(z.maxLength(20, { error: "must hold at most 20" })),
    ),
  ),
  outputs: described(
    "What the agent's result must hold below outputs: names such as plan, or tests::Test[] for a list.",
    z.exactOptional(
      z
        .array(text().check(z.regex(dataNamePattern, { error: "must be like plan, plan::Plan or tests::Test[]" })), {
          error: "must be a list of names",
        })
        .check(z.maxLength(100, { error: "must hold at most 100" })),
    ),
  ),
  ...workFields,
});

const scriptStep = z.strictObject({
  name: stepName,
  type: described("A shell runs a command in the worktree.", z.literal("script")),
  ...guardFields,
  command: described("The command. What a template puts into it is always data, never shell code.", filledText()),
  shell: described("The shell that runs the command.", z._default(z.enum(shells), "sh")),
  ...workFields,
});

const loopFields = {
  name: stepName,
  type: described("Steps are repeated until one of them says exit_loop.", z.literal("loop")),
  ...guardFields,
  max_iterations: described(
    "How often the steps run at most.",
    z._default(wholeNumber(1, grimoireLimits.iterations), 10),
  ),
  on_max_iterations: described(
    "What follows the last allowed iteration: block the run, exit the loop as a success, or continue as a failure.",
    z._default(z.enum(["block", "exit", "continue"]), "block"),
  ),
  output: described(
    "The variable that holds the output of the loop's last executed step.",
    z.exactOptional(identifier()),
  ),
  timeout: described(
    "How long the loop may take, such as 1h. Without it there is no limit.",
    z.exactOptional(durationField()),
  ),
};

interface LoopStepYaml extends z.infer<z.ZodMiniObject<typeof loopFields>> {
  steps: StepYaml[];
}

const loopStep = z.strictObject({
  ...loopFields,
  get steps(): StepList {
    return described("The steps to repeat, in order.", stepList());
  },
});

const mergeStep = z.strictObject({
  name: stepName,
  type: described("The worktree's changes are merged into the target branch.", z.literal("merge")),
  ...guardFields,
  require_review: described(
    "Whether a person must approve the changes first.",
    z._default(z.boolean({ error: "must be true or false" }), true),
  ),
  strategy: described(
    "How the changes become part of the target: a merge of both, or one commit on top of it.",
    z._default(z.enum(mergeStrategies), defaultMergeStrategy),
  ),
  verify: described(
    "A command that must succeed on the merged tree before it is offered. What a template puts into it is data.",
    z.exactOptional(filledText()),
  ),
  shell: described("The shell that runs verify; sh without it.", z.exactOptional(z.enum(shells))),
  timeout: described("How long verify may take, such as 20m. Without it, 5m.", z.exactOptional(durationField())),
  on_changes: described(
    "What follows when a person asks for changes: the loop around this step begins its next iteration.",
    z.exactOptional(z.enum(["continue"])),
  ),
  on_success: described("Leave the loop around this step when it has landed.", z.exactOptional(z.enum(["exit_loop"]))),
});

export type StepYaml =
  | z.infer<typeof agentStep>
  | z.infer<typeof scriptStep>
  | LoopStepYaml
  | z.infer<typeof mergeStep>;

const step: z.ZodMiniType<StepYaml> = z.discriminatedUnion("type", [agentStep, scriptStep, loopStep, mergeStep]);
about.add(step, { id: "step", description: "One step: agent, script, loop or merge." });

type StepList = z.ZodMiniArray<z.ZodMiniType<StepYaml>>;

function stepList(): StepList {
  return z
    .array(step, { error: "must be a list of steps" })
    .check(z.minLength(1, { error: "must hold at least one step" }));
}

export const grimoireSchema = z.strictObject({
  name: described(
    "The grimoire's name: a-z, 0-9 and -.",
    text().check(
      z.regex(grimoireName, { error: "must be like implement-bead (a-z, 0-9 and -, no - first, at most 64)" }),
    ),
  ),
  description: described("What the grimoire is for.", filledText()),
  timeout: described(
    "How long a run may take, such as 2h, which is also the default.",
    z.exactOptional(durationField()),
  ),
  steps: described("The steps, in order.", stepList()),
});
about.add(grimoireSchema, { description: "A grimoire: the steps that process one bead." });

export type GrimoireYaml = z.infer<typeof grimoireSchema>;

/** The keys of a grimoire and of each type of step. */
export const grimoireKeys = Object.keys(grimoireSchema.shape);
export const stepKeys = {
  agent: Object.keys(agentStep.shape),
  script: Object.keys(scriptStep.shape),
  loop: Object.keys(loopStep.shape),
  merge: Object.keys(mergeStep.shape),
} as const;
