import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EngineRepo } from "../support/engine-programs.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

const ready = 'echo "2.1.325 (Claude Code)"';

test("W2 without any engine installed, engine list says what to install, and exits 0", async () => {
  using repo = new EngineRepo();
  const claude = await repo.engine("claude");
  expect(claude).toMatchObject({
    path: null,
    version: null,
    available: false,
    logged_in: false,
    problem: "no folder on the PATH has claude",
    fix: "npm install -g @anthropic-ai/claude-code",
  });
  expect(await repo.engine("scripted")).toMatchObject({ available: false, logged_in: true });
});

test("W2 an installed engine is listed with its path, version, log-in, and what it can", async () => {
  using repo = new EngineRepo();
  const path = repo.install("claude", ready);
  repo.env["ANTHROPIC_API_KEY"] = "key";
  expect(await repo.engine("claude")).toEqual({
    name: "claude",
    path,
    version: "2.1.325",
    available: true,
    logged_in: true,
    can: {
      resume: true,
      structured_result: true,
      permissions: true,
      send: true,
      hooks: true,
      tools: true,
      mcp: true,
      usage: true,
      cost: true,
    },
    messages: "joins",
    denial: "goes_on",
    interrupt: "ends_command",
    limits: "while_it_works",
  });
  expect(await repo.examine("claude")).toMatchObject({ code: 0, usable: true });
  expect(await repo.clew("engine", "doctor", "claude")).toMatch(/✓ version +2\.1\.325\n/);
});

test("W2 engines are looked at outside a repository, too", async () => {
  using repo = new EngineRepo();
  repo.install("claude", ready);
  const { code, stdout } = await repo.run(["engine", "list"], { cwd: "/" });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^claude +2\.1\.325 +no /m)]);
});

test("W2 a log-in is seen by files and variables; what cannot be seen is null, never no", async () => {
  using repo = new EngineRepo();
  repo.install("claude", ready);
  const seen = async (): Promise<boolean | null> => (await repo.engine("claude")).logged_in;
  expect(await seen()).toBe(false);
  expect(await repo.engine("claude")).toMatchObject({ available: true, problem: "not logged in" });
  expect(await repo.examine("claude")).toMatchObject({ code: 1, usable: false });
  repo.own(".claude/settings.json", '{"apiKeyHelper": "/bin/key"}');
  expect(await seen()).toBe(null);
  expect(await repo.examine("claude")).toMatchObject({ code: 0, usable: true });
  repo.own(".claude/.credentials.json", "{}");
  expect(await seen()).toBe(true);
  repo.env["CLAUDE_CONFIG_DIR"] = join(repo.root, "elsewhere");
  expect(await seen()).toBe(false);
});

test("W2 a version that is older by a major is wrong, with the fix; a newer one is not", async () => {
  using repo = new EngineRepo();
  repo.install("claude", "echo 1.9.999");
  expect(await repo.engine("claude")).toMatchObject({
    version: "1.9.999",
    available: false,
    problem: "wrong version: 1.9.999 is too old, Clew knows 2.1.325",
    fix: "npm install -g @anthropic-ai/claude-code",
  });
  repo.install("claude", "echo claude 3.0.0-beta.1");
  expect(await repo.engine("claude")).toMatchObject({ version: "3.0.0-beta.1", available: true });
});

test("W2 a program that fails, prints garbage or without end is a problem in words, at once", async () => {
  using repo = new EngineRepo();
  const told = async (script: string): Promise<string | undefined> => {
    repo.install("claude", script);
    const { available, version, problem } = await repo.engine("claude");
    expect([available, version]).toEqual([false, null]);
    return problem?.replace(repo.programs, "PATH");
  };
  expect(await told("echo 2.1.325; exit 3")).toBe("PATH/claude --version exits with 3");
  expect(await told("kill -9 $$")).toBe("PATH/claude --version was ended by a signal");
  expect(await told("head -c 3000 /dev/urandom | tr -d 0-9")).toBe("PATH/claude --version tells no version");
  expect(await told("head -c 100000000 /dev/zero")).toBe("PATH/claude --version prints without end");
});

test("W2 engine doctor exits by the engine of the settings, and names a wrong one", async () => {
  using repo = new EngineRepo();
  await repo.clew("init");
  expect(await repo.examine()).toMatchObject({ code: 1, usable: false });
  repo.install("claude", ready);
  repo.env["ANTHROPIC_API_KEY"] = "key";
  expect(await repo.examine()).toMatchObject({ code: 0, usable: true });
  await repo.clew("config", "set", "engine", "hal");
  const { code, findings } = await repo.examine();
  expect([code, findings[0]]).toEqual([1, expect.objectContaining({ engine: "hal", status: "problem" })]);
  expect(await repo.refused(["engine", "doctor", "clade"])).toMatchObject({
    code: "unknown_engine",
    hint: "did you mean claude?",
  });
});

test("W2 clew doctor has one line about the engine of the settings", async () => {
  using repo = new EngineRepo();
  await repo.clew("init");
  const line = async (): Promise<unknown> => {
    const { findings } = await repo.json<{ findings: { check: string }[] }>("doctor");
    return findings.filter(({ check }) => check === "engine");
  };
  expect(await line()).toEqual([
    {
      check: "engine",
      status: "warning",
      message: "claude: no folder on the PATH has claude",
      hint: "clew engine doctor claude tells more",
    },
  ]);
  repo.install("claude", ready);
  repo.env["ANTHROPIC_API_KEY"] = "key";
  expect(await line()).toEqual([{ check: "engine", status: "ok", message: "claude 2.1.325" }]);
});

test("W2 a run whose engine is missing names clew engine doctor", async () => {
  using repo = new EngineRepo();
  await repo.clew("init");
  const id = await repo.clew("bead", "create", "Work");
  expect(await repo.refused(["run", id])).toMatchObject({ hint: "clew engine doctor claude tells more" });
});

test("W2 no program of the folder itself is started, and an engine does not start in the repository", async () => {
  using repo = new EngineRepo();
  repo.env["PATH"] = `.::${repo.env["PATH"]}`;
  writeFileSync(join(repo.root, "claude"), `#!/bin/sh\n${ready}\n`, { mode: 0o755 });
  expect(await repo.engine("claude")).toMatchObject({ path: null, available: false });
  const path = repo.install("claude", `pwd > '${join(repo.root, ".git/where")}'; ${ready}`);
  expect(await repo.engine("claude")).toMatchObject({ path, available: true });
  expect(readFileSync(join(repo.root, ".git/where"), "utf8")).toBe("/\n");
});

test.runIf(hasTerminals)("W2 the list of engines and the doctor's report fit 80 columns", async () => {
  using repo = new EngineRepo();
  repo.install("claude", ready);
  for (const words of [["list"], ["doctor"]]) {
    const { lines } = await onTerminal(repo, ["engine", ...words], { columns: 80, rows: 60 });
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join("\n")).toContain("claude");
  }
});
