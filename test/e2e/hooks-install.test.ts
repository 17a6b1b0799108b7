import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { SessionList } from "../../src/contract/api/session-list.ts";
import type { SettingsChange, SettingsStanding } from "../../src/contract/api/hook.ts";
import { HookRepo } from "../support/hook-repo.ts";

type Settings = { hooks: Record<string, { hooks: { type: string; command: string; timeout?: number }[] }[]> };
type Answer<T> = { settings: T[] };

const files: [engine: string, scope: string, path: string][] = [
  ["claude", "local", ".claude/settings.local.json"],
  ["claude", "project", ".claude/settings.json"],
  ["codex", "project", ".codex/hooks.json"],
  ["gemini", "project", ".gemini/settings.json"],
  ["qwen", "project", ".qwen/settings.json"],
];

test.each(files)(
  "H1 %s, %s: hooks are written, known, called by the engine, and taken out to the byte",
  async (engine, scope, name) => {
    using repo = new HookRepo();
    const path = join(repo.root, name);
    const before =
      '{\r\n\t"model": "x", // mine\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}], "Odd": 1,},\r\n}';
    write(path, before);
    const place = ["--engine", engine, "--scope", scope];
    const { settings } = await repo.json<Answer<SettingsChange>>("hooks", "install", ...place);
    expect(settings).toMatchObject([{ engine, scope, path, change: "changed" }]);
    expect(await repo.json("hooks", "install", ...place)).toMatchObject({ settings: [{ change: "none", diff: [] }] });
    expect(await repo.json("hooks", "status", ...place)).toMatchObject({ settings: [{ status: "installed" }] });
    expect(readFileSync(path, "utf8")).toContain('"model": "x"');
    expect(await repo.json("hooks", "uninstall", ...place)).toMatchObject({ settings: [{ change: "changed" }] });
    expect(readFileSync(path, "utf8")).toBe(before);
  },
);

test.each(files)(
  "H1 %s, %s: a file that was made for the hooks goes with them, and the engine can call what stands in it",
  async (engine, scope, name) => {
    using repo = new HookRepo();
    const path = join(repo.root, name);
    const place = ["--engine", engine, "--scope", scope];
    await repo.clew("hooks", "install", ...place);
    const { hooks } = JSON.parse(readFileSync(path, "utf8")) as Settings;
    const stop = hooks["Stop"] ?? hooks["AfterAgent"]!;
    const { type, command } = stop[0]!.hooks[0]!;
    expect(type).toBe("command");
    const input = JSON.stringify({ session_id: "s-1", last_assistant_message: "Done." });
    const outcome = spawnSync("sh", ["-c", command], { cwd: repo.root, input, env: { ...process.env, ...repo.env } });
    expect([outcome.status, String(outcome.stdout), String(outcome.stderr)]).toEqual([0, "", ""]);
    expect(repo.spool(engine, "s-1")).toMatchObject([{ event: "Stop" }]);
    await repo.clew("hooks", "uninstall", ...place);
    expect(existsSync(dirname(path))).toBe(false);
  },
);

test("H1 the user's own settings, and a program in a folder with spaces and quotes", async () => {
  using repo = new HookRepo();
  const program = join(repo.userHome, "my 'own' $tools");
  execFileSync("cp", ["-r", join(import.meta.dirname, "../../dist"), program]);
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(repo.userHome, "node_modules"));
  const env = { ...process.env, ...repo.env };
  execFileSync(
    process.execPath,
    [join(program, "clew.cjs"), "hooks", "install", "--engine", "claude", "--scope", "user"],
    { cwd: repo.root, env },
  );
  const { hooks } = JSON.parse(readFileSync(join(repo.userHome, ".claude/settings.json"), "utf8")) as Settings;
  const input = JSON.stringify({ session_id: "s-1" });
  const { status } = spawnSync("sh", ["-c", hooks["Stop"]![0]!.hooks[0]!.command], { cwd: repo.root, input, env });
  expect([status, repo.spool("claude", "s-1").length]).toEqual([0, 1]);
  expect(await repo.json("hooks", "status", "--engine", "claude")).toMatchObject({
    settings: [{ status: "none" }, { status: "none" }, { scope: "user", status: "installed" }],
  });
});

test("H1 the user's own settings outside a repository: installed, shown, taken out to the byte", async () => {
  using repo = new HookRepo();
  const cwd = join(repo.userHome, "elsewhere");
  mkdirSync(cwd);
  const path = join(repo.userHome, ".claude/settings.json");
  const clew = async <T>(...words: string[]): Promise<T> => {
    const { stdout, stderr } = await repo.run(["hooks", ...words, "--engine", "claude", "--json"], { cwd });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
  expect(await clew("install", "--scope", "user")).toMatchObject({ settings: [{ path, change: "made" }] });
  const standing = { settings: [{ engine: "claude", scope: "user", status: "installed" }] };
  expect(await clew("status", "--scope", "user")).toMatchObject(standing);
  expect((await clew<Answer<SettingsStanding>>("status")).settings).toHaveLength(1);
  for (const words of [["install"], ["install", "--scope", "local"], ["status", "--scope", "project"]])
    expect(await clew(...words)).toMatchObject({ error: { hint: expect.stringContaining("--scope user") } });
  expect(await clew("install", "--scope", "user", "--http")).toMatchObject({ error: { code: "not_a_repository" } });
  expect(await clew("uninstall", "--scope", "user")).toMatchObject({ settings: [{ path }] });
  expect([existsSync(path), readdirSync(cwd)]).toEqual([false, []]);
});

test("H1 a dry run shows the change and writes nothing; opencode gets a plugin; Codex wants to be trusted", async () => {
  using repo = new HookRepo();
  const told = await repo.clew("hooks", "install", "--engine", "codex", "--dry-run");
  expect(told).toMatch(/hooks\.json would be made\n {2}\+\{\n {2}\+ {2}"hooks": \{\n/);
  expect(told).toContain("call /hooks");
  expect(existsSync(join(repo.root, ".codex"))).toBe(false);
  await repo.clew("hooks", "install", "--engine", "opencode");
  const plugin = join(repo.root, ".opencode/plugins/clew.js");
  const env = { ...process.env, ...repo.env };
  execFileSync(process.execPath, ["--input-type=module", "-e", playPlugin, plugin, repo.root], { env });
  const [session, ...others] = (await repo.json<SessionList>("session", "list")).sessions;
  expect(others).toEqual([]);
  expect(session).toMatchObject({ title: "Fix it", kind: "chat", participants: ["opencode"] });
  expect((await repo.show(session!.session_id)).phases[0]!.entries).toMatchObject([
    { kind: "user", text: "Fix it" },
    { kind: "tool", name: "bash", args: "ls", result: "a.txt" },
  ]);
  await repo.clew("hooks", "uninstall");
  expect(existsSync(plugin)).toBe(false);
});

test("H1 without an engine that is installed, it has to be named", async () => {
  using repo = new HookRepo();
  repo.env["PATH"] = "/nowhere";
  expect(await repo.refused(["hooks", "install"])).toMatchObject({ code: "unknown_engine" });
});

test("H1 what is no plain file of settings is refused, and stays as it is", async () => {
  using repo = new HookRepo();
  const path = join(repo.root, ".claude/settings.json");
  const install = ["hooks", "install", "--engine", "claude", "--scope", "project"];
  const refusedAs = async (message: string): Promise<void> => {
    expect((await repo.refused(install)).message).toContain(message);
    const { settings } = await repo.json<Answer<SettingsStanding>>("hooks", "status", ...install.slice(2));
    expect(settings).toMatchObject([{ status: "unreadable" }]);
  };
  write(path, '{\n  "a": 1,\n  "b" 2\n}');
  await refusedAs(`${path}, line 3: a colon is missing`);
  write(path, "");
  await refusedAs("line 1: it ends too early");
  write(path, `{"a": "${"x".repeat(5_000_000)}"}`);
  await refusedAs("is longer than");
  execFileSync("rm", [path]);
  execFileSync("mkfifo", [path]);
  await refusedAs("not a file");
  execFileSync("rm", [path]);
  write(join(repo.userHome, "other.json"), "{}");
  symlinkSync(join(repo.userHome, "other.json"), path);
  await refusedAs("is a link");
  expect((await repo.refused(["hooks", "install", "--engine", "codex", "--scope", "local"])).message).toContain(
    "no settings of scope local",
  );
});

/** Calls the plugin as opencode does, for a session and one of its subagents. */
const playPlugin = `
  const [path, directory] = process.argv.slice(1);
  const { ClewHooks } = await import(path);
  const hooks = await ClewHooks({ directory });
  for (const [sessionID, parentID] of [["ses_1"], ["ses_2", "ses_1"]]) {
    await hooks.event({ event: { type: "session.created", properties: { info: { id: sessionID, parentID } } } });
    const call = { tool: "bash", sessionID, callID: "c-1" };
    await hooks["chat.message"]({ sessionID }, { parts: [{ type: "text", text: "Fix it" }] });
    await hooks["tool.execute.before"](call, { args: { command: "ls" } });
    await hooks["tool.execute.after"]({ ...call, args: { command: "ls" } }, { output: "a.txt" });
    await hooks.event({ event: { type: "session.idle", properties: { sessionID } } });
  }
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
