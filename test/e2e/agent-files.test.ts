import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckedGrimoire } from "../../src/contract/api/grimoire.ts";
import type { AgentInput } from "../../src/contract/step-input.ts";
import { preview, step, told, write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";
import { flowArgs } from "../support/runs.ts";

const review = "- {name: look, type: agent, agent: reviewer, spell: look}";
const agentFile = ".clew/agents/reviewer.md";
const reviewer = `---
engine: scripted
model: small
level: read
max_cost: 2.5
max_time: 10m
---

You review what others wrote.
Be kind.
`;

function reviewRepo(steps = review, file = reviewer): RunRepo {
  const repo = new RunRepo(steps);
  Object.assign(repo.env, repo.plays({ result: { success: true, summary: "Looked." } }));
  write(repo, ".clew/spells/look.md", "Look.\n");
  write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: claude\n");
  write(repo, agentFile, file);
  return repo;
}

/** What the agents of the only run got. */
async function inputsOf(repo: RunRepo): Promise<AgentInput[]> {
  return repo
    .journal(await repo.runId())
    .flatMap((line) => (line.type === "workflow.step.started" ? [line.input as AgentInput] : []));
}

test("W2 a step's agent takes engine, model, level and role from its file, and the run keeps them", async () => {
  using repo = reviewRepo();
  const shown = await preview(repo);
  expect([shown.valid, told(shown.problems)]).toEqual([true, []]);
  const role = "You review what others wrote.\nBe kind.";
  const chosen = { agent: "reviewer", engine: "scripted", model: "small", level: "read", role };
  expect(step(shown, "look")).toMatchObject({ ...chosen, agent_file: agentFile });
  expect(await repo.clew("grimoire", "preview", "flow", "--bead", "proj-1")).toMatch(
    /agent +reviewer · scripted · small · read {2}← \.clew\/agents\/reviewer\.md\n +role +You review/,
  );
  await repo.clew("run", "proj-1");
  expect(await inputsOf(repo)).toMatchObject([chosen]);
  const [started] = repo.journal(await repo.runId());
  expect(started).toMatchObject({
    pinned: { agents: { reviewer: { file: agentFile, max_cost: 2.5, max_time_ms: 600_000 } } },
  });
});

test("W2 the level of an agent's file decides what is asked: read asks before a command, work does not", async () => {
  const turns = { ask: { tool: "Bash", input: { command: "ls" } }, result: { success: true, summary: "Looked." } };
  const outcome = async (level: string): Promise<number | null> => {
    using repo = reviewRepo(review, reviewer.replace("level: read", `level: ${level}`));
    Object.assign(repo.env, repo.plays(turns));
    write(repo, ".clew/config.yaml", "default_grimoire: flow\npermission_wait: 1s\n");
    return (await repo.run(["run", "proj-1"])).code;
  };
  expect(await outcome("read")).toBe(4);
  expect(await outcome("work")).toBe(0);
});

test("W2 the flag goes before the step, the step before the agent's file, the file before the settings", async () => {
  const steps = `${review.replace("}", ", engine: eliza, model: large}")}
- {name: again, type: agent, agent: reviewer@2, spell: look}
- {name: plain, type: agent, agent: nobody, spell: look}`;
  using repo = reviewRepo(steps, reviewer.replace("engine: scripted", "engine: hal"));
  const engines = async (...more: string[]): Promise<unknown[]> => {
    const shown = await preview(repo, ...more);
    return ["look", "again", "plain"].map((name) => {
      const { engine, model } = step(shown, name);
      return [engine, model];
    });
  };
  // A model belongs to the engine that stands beside it.
  expect(await engines()).toEqual([
    ["eliza", "large"],
    ["hal", "small"],
    [undefined, undefined],
  ]);
  expect(await engines("--engine", "scripted")).toEqual([
    ["scripted", undefined],
    ["scripted", undefined],
    ["scripted", undefined],
  ]);
  const { refusals } = await preview(repo);
  expect(refusals.map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringContaining("engine eliza"), expect.stringContaining("engine hal")]),
  );
  await repo.clew("run", "proj-1", "--engine", "scripted");
  expect((await inputsOf(repo)).map(({ engine, level }) => [engine, level])).toEqual([
    ["scripted", "read"],
    ["scripted", "read"],
    ["scripted", undefined],
  ]);
});

test("W2 an engine that only an agent's file names is refused with that file", async () => {
  using repo = reviewRepo(review, reviewer.replace("engine: scripted", "engine: hal"));
  const { code, hint } = await repo.refused(["run", "proj-1"]);
  expect([code, hint]).toEqual(["unknown_engine", expect.stringContaining(`${agentFile} names it`)]);
});

const wrongFile = `---
engin: claude
level: all
model: 3
max_cost: -1
max_tokens: 1.5
max_rounds: many
max_time: soon
tools: Bash
---
Role.
`;

test("W2 everything that is wrong with an agent's file is told at once, by line, and nothing runs", async () => {
  using repo = reviewRepo(review, wrongFile);
  const shown = await preview(repo);
  expect([shown.code, told(shown.problems)]).toEqual([
    2,
    [
      `${agentFile}:2:1 error: unknown key engin`,
      `${agentFile}:3:8 error: level: must be read, work or full, not "all"`,
      `${agentFile}:4:8 error: model: must be text, not 3`,
      `${agentFile}:5:11 error: max_cost: must be an amount in US dollars, such as 2.50, not -1`,
      `${agentFile}:6:13 error: max_tokens: must be a whole number of at least 1, not 1.5`,
      `${agentFile}:7:13 error: max_rounds: must be a whole number of at least 1, not "many"`,
      `${agentFile}:8:11 error: max_time: must be a duration such as 10m, not "soon"`,
      `${agentFile}:9:8 error: tools: must be a list of names of tools, not "Bash"`,
    ],
  ]);
  expect(shown.problems[0]!.hint).toBe("did you mean engine?");
  const { code, stdout } = await repo.run(["grimoire", "validate", "flow"]);
  expect([code, stdout]).toEqual([2, expect.stringContaining(`${agentFile}:2:1: error: unknown key engin`)]);
  expect(await repo.refused(["run", "proj-1"])).toMatchObject({ code: "invalid_grimoire" });
});

test("W2 validate checks the files of agents that no grimoire names, too", async () => {
  using repo = reviewRepo();
  write(repo, ".clew/agents/other.md", "---\nlevel: read\n");
  const { code, stdout } = await repo.run(["grimoire", "validate", "--json"]);
  const { grimoires } = JSON.parse(stdout) as { grimoires: CheckedGrimoire[] };
  const agents = grimoires.filter(({ file }) => file.startsWith(".clew/agents/"));
  expect([code, agents.map(({ name, valid }) => [name, valid])]).toEqual([
    2,
    [
      ["other", false],
      ["reviewer", true],
    ],
  ]);
  expect(told(agents[0]!.problems)).toEqual([".clew/agents/other.md:1:1 error: the frontmatter has no end"]);
});

test("W2 a file without frontmatter is a role alone; a name that is nearly a file's is a warning", async () => {
  using repo = reviewRepo(`${review}\n- {name: again, type: agent, agent: reviewr, spell: look}`, "Be strict.\n");
  const shown = await preview(repo, "--engine", "scripted");
  expect(step(shown, "look")).toMatchObject({ role: "Be strict.", engine: "scripted" });
  expect(step(shown, "look").level).toBeUndefined();
  expect(shown.problems).toMatchObject([{ severity: "warning", step: "again", hint: "did you mean reviewer?" }]);
});

test("D6 level full and tools of a repository's agent count only where the user's own settings allow them", async () => {
  using repo = reviewRepo(review, "---\nengine: scripted\nlevel: full\ntools: [WebFetch]\n---\nDo all.\n");
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, ".git/own");
  const hint = "if you want that for all repositories: clew config set allow_full_agents true --user";
  expect((await preview(repo)).problems).toMatchObject([
    { file: agentFile, line: 3, severity: "error", hint },
    { file: agentFile, line: 4, severity: "error", hint },
  ]);
  expect((await repo.refused(["run", "proj-1"])).message).toContain("level: full loosens protection");
  const setHere = await repo.refused(["config", "set", "allow_full_agents", "true"]);
  expect(setHere.message).toContain("counts only in your own");
  await repo.clew("config", "set", "allow_full_agents", "true", "--user");
  await repo.clew("run", "proj-1");
  expect(await inputsOf(repo)).toMatchObject([{ level: "full", role: "Do all." }]);
});

test("G16 a run keeps the agent that it was started with, and says that the file changed", async () => {
  using repo = reviewRepo(`- {name: ask, type: script, command: "test -e {{.go}}"}\n${review}`);
  const { code } = await repo.run([...flowArgs, "--var", "go=/nowhere"]);
  expect(code).toBe(3);
  write(repo, agentFile, reviewer.replace("Be kind", "Be harsh"));
  const retry = await repo.run(["run", "retry", "proj-1", "--input", "go=/"]);
  expect([retry.code, retry.stdout + retry.stderr]).toEqual([0, expect.stringContaining(agentFile)]);
  expect((await inputsOf(repo)).at(-1)).toMatchObject({ role: expect.stringContaining("Be kind") as string });
});

test("D7 a secret in a role is redacted before anything is written; elsewhere in the file it is refused", async () => {
  const secret = ["sk-ant-", "api03-", "A".repeat(40), "bcd123"].join("");
  using repo = reviewRepo(review, `${reviewer}Use ${secret}.\n`);
  await repo.clew("run", "proj-1");
  const text = JSON.stringify(repo.journal(await repo.runId()));
  expect(text).not.toContain(secret);
  expect(text).toContain("Be kind.");
  write(repo, agentFile, reviewer.replace("model: small", `model: ${secret}`));
  await repo.clew("bead", "reopen", "proj-1");
  expect(await repo.refused(["run", "proj-1"])).toMatchObject({ code: "invalid_grimoire" });
});

test("a link that leads out, a folder and bytes that are no text are told, not followed", async () => {
  using repo = reviewRepo();
  const path = join(repo.root, agentFile);
  const toldOf = async (): Promise<string[]> => told((await preview(repo)).problems);
  rmSync(path);
  symlinkSync("/etc/hostname", path);
  expect(await toldOf()).toEqual([expect.stringContaining("a link that leads out of the repository")]);
  rmSync(path);
  mkdirSync(path);
  expect(await toldOf()).toEqual([expect.stringContaining("is a folder, not a file")]);
  rmSync(path, { recursive: true });
  writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]));
  expect(await toldOf()).toEqual([expect.stringContaining("is not UTF-8 text")]);
});
