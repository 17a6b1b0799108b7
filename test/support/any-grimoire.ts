import * as fc from "fast-check";
import type { Gate } from "../../src/contract/gate.ts";
import type { Grimoire, Json, Step } from "../../src/contract/grimoire.ts";

// Checked grimoires of any form, for property tests.

/** Texts with what YAML, Markdown and templates find special. */
const anyText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          ..."a|é|\n|\n\n| |  |\t|\r|---|...|# x|## A @b|- |: |'|\"|\\|{{.bead.id}}|→| -> |```|~~~|~|null|true|0x1|1e3|\u2028|\u{1F600}|\u0007|\uFEFF|%|!x|&a|*a|?".split(
            "|",
          ),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  )
  .filter((text) => text.isWellFormed() && !text.includes("\0"));

const filledText = anyText.filter((text) => /\S/.test(text));
const when = fc.oneof(fc.boolean(), fc.constantFrom("{{.previous.failed}}", '{{eq .a "b"}}', "{{default false .x}}"));
const timeout_ms = fc.integer({ min: 1, max: 30 * 86_400_000 });
const identifier = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/).filter((name) => name !== "__proto__");

const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    anyText,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      anyText.filter((key) => key !== "__proto__" && key !== "<<" && key.length > 0),
      tie("value"),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
})).value;

const anyGate: fc.Arbitrary<Gate> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("command" as const),
      command: filledText,
      shell: fc.constantFrom("sh" as const, "bash" as const),
      expect: fc.oneof(fc.integer({ min: 0, max: 255 }), filledText),
      timeout_ms,
    },
    { requiredKeys: ["kind", "command", "shell", "expect"] },
  ),
  fc.record(
    {
      kind: fc.constant("call" as const),
      tool: fc.constant("shell"),
      match: fc.constantFrom("npm test", "git *", "make ..."),
      exit: fc.integer({ min: 0, max: 255 }),
      count: fc.integer({ min: 1, max: 9 }),
      covers: fc.array(fc.constantFrom("src/**", "*.ts"), { maxLength: 2 }),
      fresh: fc.boolean(),
      keeps: fc.array(fc.constantFrom("package.json"), { maxLength: 1 }),
    },
    { requiredKeys: ["kind", "tool", "match", "exit", "count", "covers", "fresh"] },
  ),
);

/** Without `name`, which the whole grimoire decides. */
type Nameless = Step extends infer Each ? (Each extends Step ? Omit<Each, "name"> : never) : never;

const work = {
  when,
  input: fc.dictionary(identifier, anyJson, { maxKeys: 3, noNullPrototype: true }),
  timeout_ms,
  on_fail: fc.constantFrom("block" as const, "continue" as const, "fail" as const),
  detach: fc.boolean(),
};

const anyAgent = fc.record(
  {
    type: fc.constant("agent" as const),
    spell: filledText,
    agent: filledText,
    engine: filledText,
    model: filledText,
    requires: fc.array(anyGate, { maxLength: 2 }),
    outputs: fc.uniqueArray(fc.constantFrom("plan", "notes::Text", "tests::Test[]"), { maxLength: 3 }),
    ...work,
  },
  { requiredKeys: ["type", "spell", "input", "on_fail"] },
);

const anyScript = fc.record(
  {
    type: fc.constant("script" as const),
    command: filledText,
    shell: fc.constantFrom("sh" as const, "bash" as const),
    ...work,
  },
  { requiredKeys: ["type", "command", "shell", "input", "on_fail"] },
);

const anyMerge = fc
  .record(
    {
      type: fc.constant("merge" as const),
      when,
      require_review: fc.boolean(),
      strategy: fc.constantFrom("merge" as const, "squash" as const),
      verify: filledText,
      shell: fc.constantFrom("sh" as const, "bash" as const),
      timeout_ms,
    },
    { requiredKeys: ["type", "require_review", "strategy"] },
  )
  .map(({ shell, timeout_ms: limit, ...merge }) =>
    merge.verify === undefined
      ? merge
      : { ...merge, ...(shell && { shell }), ...(limit !== undefined && { timeout_ms: limit }) },
  );

const anyStep: fc.Arbitrary<Nameless> = fc.letrec<{ step: Nameless }>((tie) => ({
  step: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    anyAgent,
    anyScript,
    anyMerge,
    fc
      .record(
        {
          type: fc.constant("loop" as const),
          when,
          max_iterations: fc.integer({ min: 1, max: 1000 }),
          on_max_iterations: fc.constantFrom("block" as const, "exit" as const, "continue" as const),
          timeout_ms,
          steps: fc.array(tie("step"), { minLength: 1, maxLength: 3 }),
        },
        { requiredKeys: ["type", "max_iterations", "on_max_iterations", "steps"] },
      )
      .map((loop) => loop as Nameless),
  ),
})).step;

/** Steps are numbered, so that no name stands twice. */
function named(steps: Nameless[], counter = { next: 1 }): Step[] {
  return steps.map((step) => {
    const name = `step-${counter.next++}`;
    const inner = step.type === "loop" ? { steps: named(step.steps, counter) } : {};
    return { name, ...step, ...inner };
  });
}

function grimoireOf(steps: fc.Arbitrary<Nameless>): fc.Arbitrary<Grimoire> {
  return fc
    .record(
      {
        name: fc.constant("generated"),
        description: filledText,
        timeout_ms,
        steps: fc.array(steps, { minLength: 1, maxLength: 5 }).map((each) => named(each)),
      },
      { requiredKeys: ["name", "description", "steps"] },
    )
    .map((grimoire) => grimoire as Grimoire);
}

export const anyGrimoire = grimoireOf(anyStep);
/** Without loops and merges. */
export const anyFlatGrimoire = grimoireOf(fc.oneof(anyAgent, anyScript));
