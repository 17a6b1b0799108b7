import { readdirSync, readFileSync, writeFileSync } from "node:fs";
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
    hooks: "http",
    messages: "joins",
    denial: "goes_on",
    interrupt: "ends_command",
    limits: "while_it_works",
    bare: ["system_prompt", "environment"],
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
  writeFileSync(join(repo.root, ".clew/config.yaml"), "engine: hal\n");
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

test("W2 below 1.0 an older version is told with its fix, a newer one as untested; both can be used", async () => {
  using repo = new EngineRepo();
  repo.env["CODEX_API_KEY"] = "key";
  const version = async (number: string): Promise<unknown> => {
    repo.install("codex", `echo codex-cli ${number}`);
    const { findings, code } = await repo.examine("codex");
    const { status, message } = findings.find(({ check }) => check === "version")!;
    return [code, status, message];
  };
  const problem = "untested version: 0.99.1 is older than 0.166.0, which Clew was tested with";
  expect(await version("0.99.1")).toEqual([0, "warning", problem]);
  expect(await repo.engine("codex")).toMatchObject({ available: true, problem, fix: "npm install -g @openai/codex" });
  expect(await repo.clew("engine", "list")).toContain("codex: untested version: 0.99.1");
  expect(await version("0.170.0")).toEqual([0, "warning", "0.170.0; Clew was tested with 0.166.0"]);
  expect(await version("0.166.3")).toEqual([0, "ok", "0.166.3; Clew was tested with 0.166.0"]);
  expect((await repo.engine("codex")).problem).toBeUndefined();
});

test("W2 an engine that there is not is refused with a suggestion, wherever it is named", async () => {
  using repo = new EngineRepo();
  await repo.clew("init");
  const { bead } = await repo.json<{ bead: { id: string } }>("bead", "create", "Task");
  const refused = { code: "unknown_engine", hint: expect.stringContaining("did you mean codex?") as string };
  expect(await repo.refused(["config", "set", "engine", "codx"])).toMatchObject(refused);
  expect(await repo.refused(["ai", "codx", "Hello"])).toMatchObject(refused);
  expect(await repo.refused(["run", bead.id, "--engine", "codx"])).toMatchObject(refused);
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, ".git/own");
  await repo.clew("config", "set", "engines", "{codx: {acp: [my-agent]}}", "--user");
  await repo.clew("config", "set", "engine", "codx");
});

test("W2 engine doctor scripted says whether its script is there", async () => {
  using repo = new EngineRepo();
  const file = join(repo.root, "play.json");
  repo.env["CLEW_SCRIPT"] = file;
  const { code, findings } = await repo.examine("scripted");
  expect([code, findings[0]]).toEqual([1, expect.objectContaining({ message: `there is no script ${file}` })]);
  writeFileSync(file, '{"turns": []}');
  expect((await repo.examine("scripted")).code).toBe(0);
});

test("W4 the transcript has every byte that an engine printed: invalid UTF-8, empty lines and ends of lines", async () => {
  using repo = new EngineRepo();
  await repo.clew("init");
  const result = '{"type":"result","subtype":"success","is_error":false,"result":"Done."}';
  const said = `{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"a\\377b"}]}}`;
  repo.install("claude", `read line; printf '\\n${said}\\r\\n\\n%s\\n' '${result}'`);
  const { code, stdout } = await repo.run(["ai", "claude", "Hello", "--one-shot"]);
  expect([code, stdout]).toEqual([0, "a\ufffdb\n"]);
  const folder = join(repo.root, ".git/clew/transcripts");
  const [owner] = readdirSync(folder);
  const [name] = readdirSync(join(folder, owner!));
  const lines = readFileSync(join(folder, owner!, name!), "utf8").split("\n");
  const { clew_base64 } = JSON.parse(lines[1]!) as { clew_base64: string };
  expect([lines[0], ...lines.slice(2)]).toEqual(["", "", result, ""]);
  expect(Buffer.from(clew_base64, "base64").toString("latin1")).toBe(`${said.replace("\\377", "\xff")}\r`);
});
