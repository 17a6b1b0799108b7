import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFlatGrimoire, anyGrimoire } from "../../../test/support/any-grimoire.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import { readGrimoire } from "../definition/read-grimoire.ts";
import { grimoireToMarkup } from "./grimoire-to-markup.ts";
import { readWorkflow } from "./read-workflow.ts";

/** What has the same meaning as not to be there. */
function plain({ steps, ...grimoire }: Grimoire): Grimoire {
  return {
    ...grimoire,
    steps: steps.map((step) => {
      if (step.type !== "agent") return step;
      const { requires: _, outputs = [], ...rest } = step;
      return { ...rest, ...(outputs.length > 0 && { outputs }) };
    }),
  };
}

function read(text: string): Grimoire {
  const { grimoire, problems } = readWorkflow(text, "generated.md");
  expect(problems).toEqual([]);
  return grimoire!;
}

describe("S13 a grimoire as markup", () => {
  it("S13 reads back as the same definition, and is written the same again", () => {
    fc.assert(
      fc.property(anyFlatGrimoire, (grimoire) => {
        const { text } = grimoireToMarkup(grimoire);
        expect(read(text)).toEqual(plain(grimoire));
        expect(grimoireToMarkup(read(text)).text).toBe(text);
      }),
    );
  });

  it("S13 loops, merges and gates are told as losses, and nothing else is", () => {
    fc.assert(
      fc.property(anyGrimoire, (grimoire) => {
        const losses = grimoireToMarkup(grimoire).losses.filter(({ message }) => !message.startsWith(".previous"));
        const lost = JSON.stringify(grimoire).match(/"type":"(?:loop|merge)"|"requires":\[\{/g) ?? [];
        expect(losses.length).toBe(lost.length);
      }),
    );
  });

  it("S13 is readable: a flow, prose, conditions below the node that they leave", () => {
    const { grimoire } = readGrimoire(
      `name: ship
description: Ships a change.
timeout: "1h"
steps:
  - {name: plan, type: agent, agent: planner, spell: plan-it, outputs: ["plan::Plan"], on_fail: fail}
  - {name: build, type: agent, spell: "Build it.\\nAll.\\n", input: {plan: "{{.plan.outputs.plan}}", n: 1}}
  - {name: check, type: script, command: npm test, on_fail: continue, output: report}
  - {name: mend, type: agent, spell: mend, when: "{{.check.failed}}", input: {report: "{{.check.output}}"}}
  - {name: tell, type: script, shell: bash, command: "echo\\necho\\n", timeout: 5s}
`,
      "a.yaml",
    );
    expect(grimoireToMarkup(grimoire!)).toEqual({
      losses: [],
      text: `---
type: workflow
name: ship
timeout: "1h"
---
# Ships a change.

plan → build → check → tell

## plan @planner !

Takes nothing → creates:
- plan::Plan

\`\`\`step
spell: plan-it
\`\`\`

## build

\`\`\`spell
Build it.
All.
\`\`\`

Takes plan → creates nothing

\`\`\`step
input:
  n: 1
\`\`\`

## check @sh ?

\`\`\`sh
npm test
\`\`\`

Takes nothing → creates:
- report

If check.failed → proceed to mend

## mend

Takes report → creates nothing

\`\`\`step
spell: mend
\`\`\`

## tell @bash

\`\`\`bash
echo
echo
\`\`\`

\`\`\`step
timeout: "5s"
\`\`\`
`,
    });
  });
});
