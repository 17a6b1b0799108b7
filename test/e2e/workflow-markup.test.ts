import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Preview } from "../../src/contract/preview.ts";
import { told, write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";

const head = "---\ntype: workflow\n---\n# Ships a change\n\n";

const shipIt = `${head}## Plan @planner #work !

Make a plan.

Takes bead → creates:
- plan::Plan
- tests::Test[]

## Build @builder

Build what the plan says.

Takes plan, tests → creates:
- files::Path[]

## Check @sh ?

\`\`\`sh
test -f made && echo fine
\`\`\`

If Check.success → proceed to Publish
Otherwise → proceed to Mend

## Mend @builder

Mend it.

## Publish @sh !

\`\`\`sh
echo published >> {{.bead.id}}.txt
\`\`\`

Plan → Build → Check
`;

const plan = { when: "Make a plan", result: { success: true, summary: "P", outputs: { plan: "one", tests: ["a"] } } };
const build = {
  when: "Build what",
  write: { path: "made", content: "x" },
  result: { success: true, summary: "B", outputs: { files: ["made"] } },
};
const mend = { when: "Mend it", result: { success: true, summary: "M" } };

interface Ran {
  run: { id: string; status: string; message?: string; steps: { path: string; status: string }[] };
}

class WorkflowRepo extends RunRepo {
  constructor(text: string) {
    super("- {name: unused, type: script, command: 'true'}");
    write(this, "flow.md", text);
  }

  get checksum(): string {
    return createHash("sha256")
      .update(readFileSync(join(this.root, "flow.md")))
      .digest("hex");
  }

  /** Each step with its status, in the order in which they ran; the run's own at the end. */
  async runs(...turns: object[]): Promise<string[]> {
    const env = this.plays(...turns);
    const before = this.checksum;
    await this.run(["run", "proj-1", "--grimoire", "flow.md", "--json"], { env });
    const { run } = await this.json<Ran>("run", "show", await this.runId());
    if (this.checksum !== before) throw new Error("the run edited its file");
    return [...run.steps.map(({ path, status }) => `${path} ${status}`), run.status];
  }

  async problems(): Promise<string[]> {
    const { stdout } = await this.run(["grimoire", "validate", "flow.md", "--json"]);
    const { grimoires } = JSON.parse(stdout) as { grimoires: { problems: Preview["problems"] }[] };
    return told(grimoires[0]!.problems);
  }
}

test("S13 a workflow in markup validates, previews and runs like YAML, in topological order", async () => {
  using repo = new WorkflowRepo(shipIt);
  expect(await repo.problems()).toEqual([]);
  Object.assign(repo.env, repo.plays(plan));
  const shown = await repo.json<Preview>("grimoire", "preview", "flow.md", "--bead", "proj-1", "--engine", "scripted");
  expect(shown.steps.map(({ name }) => name)).toEqual(["Plan", "Build", "Check", "Mend", "Publish"]);
  expect(shown.steps[0]).toMatchObject({ on_fail: "fail", outputs: ["plan::Plan", "tests::Test[]"] });
  expect(await repo.runs(plan, build, mend)).toEqual([
    "Plan succeeded",
    "Build succeeded",
    "Check succeeded",
    "Mend skipped",
    "Publish succeeded",
    "completed",
  ]);
});

test("S13 a result that lacks what creates: lists is a failure, and ! fails the run", async () => {
  using repo = new WorkflowRepo(shipIt);
  const poor = { ...plan, result: { success: true, summary: "P", outputs: { plan: "one", tests: "a" } } };
  expect(await repo.runs(poor, build, mend)).toEqual(["Plan failed", "failed"]);
  const { run } = await repo.json<Ran>("run", "show", await repo.runId());
  expect(JSON.stringify(run)).toContain("its result has outputs.tests that is no list");
});

test("S13 without a mark a failure blocks the run; a branch is taken by what happened, and what follows it alone", async () => {
  using repo = new WorkflowRepo(shipIt);
  expect(await repo.runs(plan, { ...build, write: { path: "other", content: "x" } }, mend)).toEqual([
    "Plan succeeded",
    "Build succeeded",
    "Check failed",
    "Mend succeeded",
    "Publish skipped",
    "completed",
  ]);
  using blocked = new WorkflowRepo(shipIt);
  expect(await blocked.runs(plan, { ...build, result: { success: false, summary: "No." } })).toEqual([
    "Plan succeeded",
    "Build failed",
    "blocked",
  ]);
});

test("S13 a node runs if one of those before it ran", async () => {
  const script = (name: string, mark = ""): string => `## ${name} @sh${mark}\n\n\`\`\`sh\necho ${name}\n\`\`\`\n\n`;
  const text =
    `${head}${script("Start")}If {{eq .bead.priority 1}} → proceed to Urgent\nOtherwise → proceed to Calm\n\n` +
    `${script("Urgent")}${script("Calm")}${script("After calm")}${script("End")}` +
    "Calm → After calm\nUrgent, After calm → End\n";
  using repo = new WorkflowRepo(text);
  expect(await repo.problems()).toEqual([]);
  expect(await repo.runs()).toEqual([
    "Start succeeded",
    "Urgent succeeded",
    "Calm skipped",
    "After-calm skipped",
    "End succeeded",
    "completed",
  ]);
});

test("S13 a condition in words is kept, and the workflow is refused to run with its line and what to do", async () => {
  using repo = new WorkflowRepo(shipIt.replace("If Check.success", "If the reviewer is happy"));
  expect(await repo.problems()).toEqual([
    'flow.md:27:4 error: the condition "the reviewer is happy" is for people: a run cannot decide it',
  ]);
  const refused = await repo.refused(["run", "proj-1", "--grimoire", "flow.md"], {
    env: repo.plays(plan),
  });
  expect(refused).toMatchObject({ code: "invalid_grimoire" });
  expect(refused.message).toContain("flow.md:27:4");
});

test("S13 unknown nodes, cycles by their path, and names twice are errors with line and column", async () => {
  using repo = new WorkflowRepo(
    `${head}## A\n\ntext\n\n## B\n\ntext\n\n## A\n\nA → B → Bb\nIf B.success → proceed to A\n`,
  );
  expect(await repo.problems()).toEqual([
    "flow.md:14:1 error: A is already the name of the node at line 6",
    "flow.md:16:9 error: there is no node Bb",
    "flow.md:17:4 error: B does not run before this condition is decided",
  ]);
  using circle = new WorkflowRepo(`${head}## A\n\ntext\n\n## B\n\nIf B.failed → proceed to A\n\n## C\n\nA → B → C\n`);
  expect(await circle.problems()).toEqual(["flow.md:12:26 error: the nodes form a cycle: A → B → A"]);
});

test("S13 a run that ! fails leaves a session that failed, with why; tried again, it goes on and completes", async () => {
  const text = `${head}## One @sh !\n\n\`\`\`sh\ntest -e again || { touch again; exit 3; }\n\`\`\`\n\n## Two @sh\n\n\`\`\`sh\necho two\n\`\`\`\n`;
  using repo = new WorkflowRepo(text);
  expect(await repo.runs()).toEqual(["One failed", "failed"]);
  const id = await repo.runId();
  const { frontmatter } = await repo.show(id);
  expect(frontmatter).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/^One: /),
    ended: expect.any(String),
    resume_point: "phase-1",
  });
  const { items } = await repo.json<{ items: { session_id: string; kind: string }[] }>("inbox");
  expect(items).toMatchObject([{ session_id: id, kind: "decision_needed" }]);
  expect(await repo.json("session", "list", "--status", "failed")).toMatchObject({ sessions: [{ session_id: id }] });
  await repo.clew("run", "retry", id);
  const after = (await repo.show(id)).frontmatter;
  expect(after).toMatchObject({ status: "completed" });
  expect(after).not.toHaveProperty("error");
});

const sh = (name: string, command = "true", mark = ""): string =>
  `## ${name} @sh${mark}\n\n\`\`\`sh\n${command}\n\`\`\`\n\n`;

test("S13 the order is topological, ties by place; what failed with ? has run, so that what follows it runs", async () => {
  const text =
    `${head}${sh("Last")}${sh("Z")}${sh("A")}${sh("Loose", "exit 3", " ?")}${sh("Follows")}#${sh("Child")}${sh("First")}` +
    "First → A, Z → Last\nLoose → Follows\n";
  using repo = new WorkflowRepo(text);
  expect(await repo.problems()).toEqual([]);
  expect(await repo.runs()).toEqual([
    "Loose failed",
    "Follows succeeded",
    "Child succeeded",
    "First succeeded",
    "Z succeeded",
    "A succeeded",
    "Last succeeded",
    "completed",
  ]);
});

test("S13 a failure without a mark blocks, with ! fails, with ? goes on, whether a script or an agent failed", async () => {
  const failing = { when: "Try it", result: { success: false, summary: "No." } };
  const agent = (mark: string): string => `## One @coder${mark}\n\nTry it.\n\n`;
  for (const first of [(mark: string) => sh("One", "exit 3", mark), agent]) {
    const ends = async (mark: string): Promise<string[]> => {
      using repo = new WorkflowRepo(`${head}${first(mark)}${sh("Two")}One → Two\n`);
      return await repo.runs(failing);
    };
    expect(await ends("")).toEqual(["One failed", "blocked"]);
    expect(await ends(" !")).toEqual(["One failed", "failed"]);
    expect(await ends(" ?")).toEqual(["One failed", "Two succeeded", "completed"]);
  }
});

test("S13 a thing that creates: lists is required: without it the node fails, with it a later one takes it", async () => {
  const text =
    `${head}## Plan @planner\n\nMake a plan.\n\nTakes bead → creates:\n- plan::Plan\n\n` +
    "## Tell @sh\n\n```sh\ntest {{.plan}} = one\n```\n\nTakes plan → creates nothing\n\nPlan → Tell\n";
  using lacking = new WorkflowRepo(text);
  expect(await lacking.runs({ when: "Make a plan", result: { success: true, summary: "P" } })).toEqual([
    "Plan failed",
    "blocked",
  ]);
  const { run } = await lacking.json<Ran>("run", "show", await lacking.runId());
  expect(run.message).toContain("outputs.plan");
  using repo = new WorkflowRepo(text);
  expect(await repo.runs(plan)).toEqual(["Plan succeeded", "Tell succeeded", "completed"]);
});

test("S13 a longer way back is a cycle too, named by its path, and refused to run", async () => {
  using repo = new WorkflowRepo(
    `${head}${sh("A")}${sh("B")}If B.failed → proceed to C\n\n${sh("C")}If C.success → proceed to A\n\nA → B\n`,
  );
  const [problem, ...others] = await repo.problems();
  expect(others).toEqual([]);
  expect(problem).toMatch(/^flow\.md:\d+:\d+ error: the nodes form a cycle: A → B → C → A$/);
  expect(await repo.refused(["run", "proj-1", "--grimoire", "flow.md"])).toMatchObject({ code: "invalid_grimoire" });
});
