import { expect, test } from "vitest";
import type { CodifiedText } from "../../src/contract/api/codify.ts";
import type { AgentStep, Step } from "../../src/contract/grimoire.ts";
import { readGrimoire } from "../../src/grimoire/definition/read-grimoire.ts";
import { action, ExecutionRepo } from "../support/execution-repo.ts";
import { Repo } from "../support/repo.ts";

const edit = (path: string): object => ({
  kind: "tool",
  name: "Edit",
  args: JSON.stringify({ file_path: path }),
  result: "ok",
});
const phase = (title: string, more: object = {}): object => ({ kind: "phase", title, ...more });
const user = (text: string): object => ({ kind: "user", text });

async function codified(repo: Repo, id: string): Promise<CodifiedText & { steps: Step[] }> {
  const answer = await repo.json<CodifiedText>("session", "codify", id);
  expect([answer.valid, answer.problems]).toEqual([true, []]);
  return { ...answer, steps: readGrimoire(answer.text, "a.yaml").grimoire!.steps };
}

async function logged(repo: Repo, ...entries: object[]): Promise<string> {
  const { session_id } = await repo.json<{ session_id: string }>("session", "start", "Work");
  const input = entries.map((each) => `${JSON.stringify(each)}\n`).join("");
  await repo.run(["session", "log", "--batch", "-s", session_id], { input });
  return session_id;
}

test("S13 a person's correction belongs to the step before it, and thanks are no step", async () => {
  using repo = new Repo();
  const id = await logged(
    repo,
    phase("Fix the parser"),
    user("Fix the parser"),
    edit("a.ts"),
    phase("No, don't rename the public API. Keep it parse."),
    user("No, don't rename the public API. Keep it parse."),
    edit("b.ts"),
    phase("great, thanks"),
    user("great, thanks"),
    { kind: "text", text: "You are welcome." },
    phase("Now write the docs"),
    user("Now write the docs"),
    edit("docs/a.md"),
  );
  const { steps } = await codified(repo, id);
  expect(steps.map(({ name }) => name)).toEqual(["fix-the-parser", "now-write-the-docs", "merge"]);
  const { spell } = steps[0] as AgentStep;
  expect(spell).toContain("- No, don't rename the public API. Keep it parse.");
  expect(spell).toContain("- b.ts");
});

test("S13 an agent keeps its version, and the spell says what subagents did", async () => {
  using repo = new Repo();
  const id = await logged(repo, phase("Research", { agent: "researcher@1.2" }), edit("notes.md"), {
    kind: "subagent",
    agent: "explorer",
    mode: "inline",
    summary: "Found three callers",
  });
  const { steps } = await codified(repo, id);
  expect((steps[0] as AgentStep).agent).toBe("researcher@1.2");
  expect((steps[0] as AgentStep).spell).toContain("explorer: Found three callers");
  const markup = await repo.json<CodifiedText>("session", "codify", id, "--format", "markup");
  expect([markup.valid, markup.text]).toEqual([true, expect.stringContaining("## research @researcher@1.2 #")]);
});

test("S13 turns that were undone, and undoing them, are no steps", async () => {
  using repo = await ExecutionRepo.begin();
  repo.plan("01", [action.create("a.txt", "one")]);
  await repo.json("session", "execute", "-y");
  repo.plan("02", [action.create("b.txt", "two")]);
  await repo.json("session", "execute", "-y");
  await repo.json("session", "undo", "02");
  const { steps, notes } = await codified(repo, repo.session);
  expect(steps.map(({ name }) => name)).toEqual(["plan-01-plan-01", "execute-01-plan-01", "merge"]);
  expect(notes).toContain("the turn 02 was undone: no step is made of it");
});
