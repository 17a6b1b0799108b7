import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Evidence } from "../../src/contract/api/evidence.ts";
import type { RunDetails } from "../../src/contract/api/run.ts";
import { outcomeOf, type Outcome } from "../support/repo.ts";
import { askedEngines } from "./asked-engines.ts";
import type { Turn } from "./model/script.ts";
import { realEnvironment } from "./real-agent.ts";
import { realEngine, type RealEngine } from "./real-engine.ts";

const committer = {
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "a@x.org",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "a@x.org",
};

function clew(real: RealEngine, ...args: string[]): Promise<Outcome> {
  const env = { ...realEnvironment(real), ...committer, XDG_CONFIG_HOME: join(real.home, "config") };
  const child = spawn(process.execPath, [resolve("dist/clew.cjs"), ...args], { cwd: real.folder, env });
  child.stdin.end();
  return outcomeOf(child);
}

const grimoire = `name: tested
description: The agent has to show that the tests pass.
steps:
  - name: implement
    type: agent
    spell: |
      Do what the script says.
      {{.bead.id}}
    requires:
      - match: npm test
  - name: land
    type: merge
`;

async function setUp(real: RealEngine, engine: string): Promise<string> {
  await clew(real, "init");
  mkdirSync(join(real.folder, ".clew/grimoires"), { recursive: true });
  writeFileSync(join(real.folder, ".clew/grimoires/tested.yaml"), grimoire);
  writeFileSync(join(real.folder, ".clew/config.yaml"), `default_grimoire: tested\nengine: ${engine}\n`);
  writeFileSync(join(real.folder, "package.json"), JSON.stringify({ scripts: { test: "test -e hello.txt" } }));
  execFileSync("git", ["add", "-A"], { cwd: real.folder });
  execFileSync("git", ["commit", "-qm", "tests"], { cwd: real.folder, env: { ...process.env, ...committer } });
  return (await clew(real, "bead", "create", "Say hello", "-t", "task")).stdout.trim();
}

const shell = (command: string): Turn => ({ tool: { kind: "shell", input: { command } } });
const submit: Turn = {
  mcp: { server: "clew", tool: "submit_result", input: { success: true, summary: "All tests pass.", outputs: {} } },
};

/** Those that tell how a command ended. */
const engines = askedEngines().filter((name) => ["claude", "codex", "qwen"].includes(name));

describe.each(engines)("gates with the real %s", (name) => {
  test("H3 H4 a result without proof is refused at once; the agent runs the tests, and the offer names them", async () => {
    const turns = [shell("echo hello > hello.txt"), submit, shell("npm test"), submit, { say: "Done." }];
    await using real = await realEngine(name, { turns });
    const bead = await setUp(real, name);
    const run = await clew(real, "run", bead);
    const { run: shown } = JSON.parse((await clew(real, "run", "show", bead, "--json")).stdout) as { run: RunDetails };
    expect([run.code, shown.status, shown.message]).toEqual([4, "pending_merge", expect.any(String)]);
    expect(JSON.stringify(real.model.rounds.map(({ body }) => body))).toContain("does not count yet");
    const { evidence } = JSON.parse((await clew(real, "evidence", "list", "--json")).stdout) as {
      evidence: Evidence[];
    };
    const tested = evidence.find(({ command }) => command === "npm test")!;
    const witnesses = name === "codex" ? ["stream"] : ["stream", "hook"];
    expect(tested).toMatchObject({ exit: 0, witnesses, tree: shown.merge!.tree });
    expect(tested).not.toHaveProperty("problem");
    expect(shown.merge!.proven).toMatchObject([{ by: "evidence", command: "npm test", id: tested.id }]);
  });

  test("H4 one that only claims it, or hides how the tests ended, does not pass", async () => {
    const turns = [shell("echo hello > hello.txt"), shell("npm test || true"), submit, { say: "All tests pass." }];
    await using real = await realEngine(name, { turns });
    const bead = await setUp(real, name);
    expect((await clew(real, "run", bead)).code).toBe(3);
    const { run } = JSON.parse((await clew(real, "run", "show", bead, "--json")).stdout) as { run: RunDetails };
    expect(run.message).toContain("is a list of commands");
  });
});
