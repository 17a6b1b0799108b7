import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckedGrimoire } from "../../src/contract/api/grimoire.ts";
import type { AgentInput } from "../../src/contract/step-input.ts";
import { preview, step, told, write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";
import { flowArgs, readStream } from "../support/runs.ts";

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
    /agent +reviewer · scripted · small · read {2}← \.clew\/agents\/reviewer\.md\n +limits +at most \$2\.50, 10m of work, each time\n +role +You review/,
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

test("D6 level full of a repository's agent counts only where the user's own settings allow it", async () => {
  using repo = reviewRepo(review, "---\nengine: scripted\nlevel: full\n---\nDo all.\n");
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, ".git/own");
  const hint = "if you want that for all repositories: clew config set allow_full_agents true --user";
  expect((await preview(repo)).problems).toMatchObject([{ file: agentFile, line: 3, severity: "error", hint }]);
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

test("W2 tools of an agent's file are the only ones that it may use, and a repository may say so", async () => {
  using repo = reviewRepo(review, "---\nengine: scripted\ntools: [Write]\n---\nLook.\n");
  const turn = { run: "echo ran > ../../ran", write: { path: "seen", content: "x" } };
  Object.assign(repo.env, repo.plays({ ...turn, result: { success: true, summary: "Looked." } }));
  const shown = await preview(repo);
  expect([shown.valid, step(shown, "look").tools, shown.problems]).toEqual([true, ["Write"], []]);
  await repo.clew("run", "proj-1");
  expect(await inputsOf(repo)).toMatchObject([{ tools: ["Write"] }]);
  const results = repo
    .journal(await repo.runId())
    .flatMap((line) => (line.type === "agent.tool_result" ? [[line.failed, line.output]] : []));
  expect(results).toEqual([
    [false, expect.stringContaining("wrote")],
    [true, "there is no tool Bash for this agent"],
  ]);
});

test("W2 an engine that cannot be kept to tools is told in the preview and in the run, never passed over", async () => {
  using repo = reviewRepo(review, "---\ntools: [Read]\n---\nLook.\n");
  write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: codex\n");
  expect((await preview(repo)).problems).toMatchObject([
    {
      severity: "warning",
      step: "look",
      message: expect.stringContaining("codex cannot be kept to a list of tools") as string,
    },
  ]);
  expect((await preview(repo, "--engine", "scripted")).problems).toEqual([]);
  const { engines } = await repo.json<{ engines: { name: string; can: { tools: boolean } }[] }>("engine", "list");
  const keeping = engines.filter(({ can }) => can.tools).map(({ name }) => name);
  expect(keeping).toEqual(["claude", "opencode", "scripted"]);
});

const thinks = { say: "I think hard", usage: { input: 900, output: 100 }, delay_ms: 60_000 };
const goesOn = { when: "You were cut off", result: { success: true, summary: "Looked." } };

test.each([
  ["max_tokens: 999", "999 tokens (max_tokens of the agent reviewer): 1,000 used"],
  ["max_cost: 0.005\nmodel: claude-opus-4-8", "$0.0050 (max_cost of the agent reviewer): $0.0070 used"],
  ["max_time: 1s", "1s of work (max_time of the agent reviewer): 1s"],
])("W11 %s of an agent's file blocks the run with exit 4; retry gives as much again", async (limit, words) => {
  using repo = reviewRepo(review, `---\nengine: scripted\n${limit}\n---\nLook.\n`);
  Object.assign(repo.env, repo.plays(goesOn, thinks));
  const { code, stdout } = await repo.run(["run", "proj-1", "--json"]);
  const { run } = readStream(stdout);
  expect([code, run.status, run.blocked_reason]).toEqual([4, "blocked", "limit"]);
  expect(run.message).toContain(`reached its limit of ${words}`);
  expect(run.message).toContain(`clew run retry ${run.id} goes on with as much again`);
  expect((await repo.run(["run", "retry", "latest"])).code).toBe(0);
});

test("W11 a limit of the command goes before the same limit of the agent's file, looser or tighter", async () => {
  const file = "---\nengine: scripted\nmax_tokens: 999\nmax_rounds: 1\n---\nLook.\n";
  const outcome = async (...options: string[]): Promise<[number | null, string | undefined]> => {
    using repo = reviewRepo(review, file);
    Object.assign(
      repo.env,
      repo.plays({ usage: { input: 900, output: 100 }, result: { success: true, summary: "Looked." } }),
    );
    const { code, stdout } = await repo.run(["run", "proj-1", "--json", ...options]);
    return [code, readStream(stdout).run.message ?? undefined];
  };
  expect(await outcome()).toEqual([4, expect.stringContaining("max_tokens of the agent reviewer")]);
  expect(await outcome("--max-tokens", "5000")).toEqual([0, undefined]);
  expect(await outcome("--max-tokens", "10")).toEqual([4, expect.stringContaining("10 tokens (--max-tokens)")]);
  expect(await outcome("--max-cost", "9")).toEqual([4, expect.stringContaining("max_tokens of the agent reviewer")]);
});

test("W11 W10 limits and tools of an agent's file hold in a talk, too; options go before them", async () => {
  using repo = reviewRepo(review, "---\ntools: [Write]\nmax_tokens: 999\n---\nLook.\n");
  Object.assign(repo.env, repo.plays(goesOn, { run: "echo ran", ...thinks }));
  const talk = ["ai", "scripted", "Look", "--one-shot", "--agent", "reviewer"];
  const { code, stdout, stderr } = await repo.run(talk);
  expect([code, stdout]).toEqual([4, expect.stringContaining("there is no tool Bash")]);
  expect(stderr).toMatch(
    /999 tokens \(max_tokens of the agent reviewer\): 1,000 used; clew ai scripted --resume \S+ --agent reviewer --max-tokens 2000 goes on/,
  );
  const tighter = await repo.run([...talk, "--max-tokens", "10"]);
  expect([tighter.code, tighter.stderr]).toEqual([4, expect.stringContaining("10 tokens (--max-tokens)")]);
});

test("W2 an engine that there is not is told by line and column, in a step and in an agent's file; the user's own are known", async () => {
  using repo = reviewRepo(
    `${review}\n- {name: again, type: agent, engine: codx, spell: look}\n- {name: own, type: agent, engine: mine, spell: look}`,
    reviewer.replace("engine: scripted", "engine: qwenn"),
  );
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, ".git/own");
  const validate = async (): Promise<[number | null, string]> => {
    const { code, stdout } = await repo.run(["grimoire", "validate", "flow"]);
    return [code, stdout];
  };
  const [code, text] = await validate();
  expect([code, text]).toEqual([2, expect.stringMatching(/flow\.yaml:\d+:\d+: warning: there is no engine codx/)]);
  expect(text).toContain("did you mean codex?");
  expect(text).toMatch(/there is no engine mine/);
  expect(text).toContain(`${agentFile}:2:9: error: there is no engine qwenn`);
  expect(told((await preview(repo)).problems).join("\n")).toContain("there is no engine codx");
  await repo.clew("config", "set", "engines", "{mine: {acp: [my-agent]}}", "--user");
  expect((await validate())[1]).not.toContain("engine mine");
});
