import { describe, expect, test } from "vitest";
import type { Step } from "../../contract/grimoire.ts";
import { readGrimoire } from "../../grimoire/definition/read-grimoire.ts";
import { checkSkill } from "./check-skill.ts";
import { skillText } from "./skill.ts";

/** A skill of these steps in YAML, with the notes that it adds. */
function skillOf(yaml: string, notes: string[] = []): { text: string; notes: string[] } {
  const read = readGrimoire(`name: ship-it\ndescription: Ships it\nsteps:\n${yaml}`, "a.yaml");
  expect(read.problems).toEqual([]);
  return skillFrom(read.grimoire!.steps, notes);
}

function skillFrom(steps: Step[], notes: string[], description = "Ships it"): { text: string; notes: string[] } {
  const all = [...notes];
  const codified = { grimoire: { name: "ship-it", description, steps }, channels: new Map(), notes: all };
  const text = skillText(codified, (note) => all.push(note));
  expect(checkSkill(text, "SKILL.md")).toEqual([]);
  return { text, notes: all };
}

const agent = (name: string, spell: string): Step => ({
  name,
  type: "agent",
  spell,
  input: {},
  on_fail: "block",
});

describe("S13 a skill", () => {
  test("S13 says when a step is done, what it has to prove, and what follows a failure", () => {
    const { text } = skillOf(`
  - {name: lint-it, type: script, command: npm run lint, on_fail: continue, output: lint_said}
  - name: mend
    type: agent
    when: "{{.lint_it.failed}}"
    spell: "Mend it\\nwell.\\n"
    on_fail: fail
    outputs: [plan]
    requires: [{command: npm test}]
  - {name: count, type: script, when: '{{gt (len .lint_said) 3}}', command: wc a.txt}
  - {name: land, type: merge, when: "{{.mend.success}}", verify: npm run all, strategy: squash}
  - {name: land-more, type: merge, require_review: false}
`);
    expect(text).toContain(
      "## 1. lint it\n\nRun:\n\n```sh\nnpm run lint\n```\n\nWhat it gives is called lint_said below.\n",
    );
    expect(text).toContain("If it fails, go on.\n");
    expect(text).toContain("Do this only if lint it failed, and else go on.\n\nMend it\nwell.\n");
    expect(text).toContain("Say what it gave: plan.\n");
    expect(text).toContain("It is done when this succeeds:\n\n```sh\nnpm test\n```\n");
    expect(text).toContain("If it fails, all of the work has failed: stop.\n");
    expect(text).toContain(
      "Do this only if the following holds, and else go on:\n\n```text\n{{gt (len .lint_said) 3}}\n```\n",
    );
    expect(text).toContain("Do this only if mend succeeded, and else go on.\n");
    expect(text).toContain("This has to succeed with what it is merged into:\n\n```sh\nnpm run all\n```\n");
    expect(text).toContain("Show a person what changed, and merge it as one commit once they approve.\n");
    expect(text).toContain("## 5. land more\n\nMerge what changed.\n");
  });

  test("S13 says what leaves a loop, and what follows when it is not enough", () => {
    const { text } = skillOf(`
  - name: mend-loop
    type: loop
    max_iterations: 7
    on_max_iterations: continue
    steps:
      - {name: check, type: script, command: npm test, on_fail: continue, on_success: exit_loop}
      - {name: mend, type: agent, spell: "Mend\\nit.\\n"}
`);
    expect(text).toContain("7 times at most. If that is not enough, they have failed: go on.\n");
    expect(text).toContain("### 1.1. check\n");
    expect(text).toContain("If it succeeds, the steps around it are done: go on behind them.\n");
  });

  test("S13 does not have what does not run, and tells that and what it has no words for", () => {
    const { text, notes } = skillOf(`
  - {name: upload, type: script, when: false, command: ./upload.sh}
  - {name: mend, type: agent, agent: coder, timeout: 5m, spell: "Mend\\nit.\\n"}
`);
    expect(text).not.toContain("upload.sh");
    expect(text).toContain("## 1. mend\n");
    const told = [
      "these steps do not run, so the skill does not have them: upload",
      "a skill does not say the agent of mend; the timeout of mend",
    ];
    expect(notes).toEqual(told);
    for (const each of told) expect(text).toContain(`- ${each}\n`);
  });

  test("S13 that is too long is cut between steps, keeps its notes and says what it lost", () => {
    const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}`);
    const steps = Array.from({ length: 20 }, (_, at) => agent(`part-${at + 1}`, `${lines.join("\n")}\n`));
    const { text, notes } = skillFrom(steps, ["this was not told"]);
    expect(text).toContain("- this was not told\n");
    expect(notes.at(-1)).toMatch(/less than 500 lines, so these steps were left out: part 8, part 9, .*part 20$/);
    expect(text).toContain("## 7. part 7\n");
    expect(text.split("Line 59\n")).toHaveLength(8);
    expect(text).not.toContain("## 8.");
  });

  test("S13 of steps with fences is never cut inside one", () => {
    const command = `set -e\n${"echo one\n".repeat(200)}`;
    const script = (name: string): Step => ({
      name,
      type: "script",
      command,
      shell: "sh",
      input: {},
      on_fail: "block",
    });
    const { text } = skillFrom(["a", "b", "c"].map(script), []);
    expect(text.match(/^```/gm)).toHaveLength(4);
  });

  test("S13 has a description that fits, whatever letters it has", () => {
    const { text } = skillFrom([agent("a", "b\nc\n")], [], "😀".repeat(900));
    expect(checkSkill(text, "SKILL.md")).toEqual([]);
    const { text: long } = skillFrom(
      Array.from({ length: 300 }, (_, at) => agent(`part-${at}`, "a\nb\n")),
      [],
    );
    expect(checkSkill(long, "SKILL.md")).toEqual([]);
  });

  test("S13 with a description of 1024 characters is valid, also where they are no UTF-16 units", () => {
    const text = (length: number): string => `---\nname: a\ndescription: ${"😀".repeat(length)}\n---\n\nDo it.\n`;
    expect(checkSkill(text(1024), "SKILL.md")).toEqual([]);
    expect(checkSkill(text(1025), "SKILL.md")).toHaveLength(1);
  });
});
