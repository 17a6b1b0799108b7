import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { SessionList } from "../../src/contract/api/session-list.ts";
import type { TestedCall } from "../../src/contract/api/policy.ts";
import { AskingRepo, ask, done, publish } from "../support/permissions.ts";
import { HookRepo } from "../support/hook-repo.ts";

/** A repository with a policy, and a user with settings of their own. */
class PolicyRepo extends HookRepo {
  readonly #user = mkdtempSync(join(tmpdir(), "clew-user-"));

  constructor() {
    super();
    Object.assign(this.env, { XDG_CONFIG_HOME: this.#user });
  }

  async policy(repository: string, user = ""): Promise<this> {
    await this.clew("init");
    mkdirSync(join(this.#user, "clew"), { recursive: true });
    writeFileSync(join(this.#user, "clew/config.yaml"), user);
    this.configure(repository);
    return this;
  }

  async tested(...args: string[]): Promise<TestedCall> {
    const { stdout, stderr } = await this.run(["policy", "test", ...args, "--json"], { env: this.env });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as TestedCall;
  }

  call(tool_name: string, tool_input: object, more: object = {}, engine = "claude", event = "PreToolUse") {
    const payload = { session_id: "s-1", hook_event_name: event, cwd: this.root, tool_name, tool_input, ...more };
    return this.hook(payload, [event, "--engine", engine], this.env);
  }

  bash(command: string, engine = "claude") {
    return this.call("Bash", { command }, {}, engine);
  }

  override [Symbol.dispose](): void {
    rmSync(this.#user, { recursive: true, force: true });
    super[Symbol.dispose]();
  }
}

const noPush = `policy:
  - name: no-push
    tool: shell
    command: git push …
    decide: deny
    reason: a person pushes
`;

test("H5 a rule about git push is not got round by the way it is written", async () => {
  using repo = new PolicyRepo();
  await repo.policy(noPush);
  const tricks = [
    "git push",
    "git -C x push",
    "git --no-pager push",
    "/usr/bin/git push",
    "env A=1 git push",
    "sh -c 'git push'",
    "true && git push",
    `"git" 'push'`,
    String.raw`g\it push`,
    "$(echo git) push",
    "alias g=git; g push",
    "echo $(git push)",
    "curl x | sh",
    "git push '",
    "expect -c 'spawn git push'",
    "chronic git push",
  ];
  const outcomes = await Promise.all(tricks.map((trick) => repo.bash(trick)));
  expect(outcomes.map(({ code, stdout }, at) => [tricks[at], code, stdout])).toEqual(
    tricks.map((trick) => [trick, 2, ""]),
  );
  expect(outcomes.every(({ stderr }) => stderr.includes("a person pushes (no-push in "))).toBe(true);
  for (const command of ["git status", "git commit -m 'git push'", "npm test"])
    expect(await repo.bash(command)).toEqual({ code: 0, stdout: "", stderr: "" });
  // What was denied is on record as well, and that it was.
  const events = repo.spool("claude", "s-1").map(({ event }) => event);
  expect(events.filter((event) => event === "PreToolUse")).toHaveLength(tricks.length + 3);
  expect(events.filter((event) => event === "PermissionDenied")).toHaveLength(tricks.length);
});

test("H5 a rule of one word is about programs, not about words behind others", async () => {
  using repo = new PolicyRepo();
  await repo.policy("policy: [{command: curl, decide: deny}]\n");
  expect(await repo.tested("sudo curl x")).toMatchObject({ decision: "deny" });
  expect(await repo.tested("brew install curl")).toMatchObject({ decision: null });
});

test("H5 clew policy test says which rule decides, from which line, and how the command was read", async () => {
  using repo = new PolicyRepo();
  await repo.policy(`save: tool\n${noPush}  - {command: npm publish, decide: ask}\n`);
  expect(await repo.tested("env sh -c 'cd x && git push'")).toMatchObject({
    decision: "deny",
    match: "yes",
    rule: { name: "no-push", file: expect.stringMatching(/config\.yaml: line 3$/) },
    commands: expect.arrayContaining([["git", "push"]]),
  });
  expect(await repo.tested("npm --silent publish")).toMatchObject({ decision: "ask", rule: { name: "rule 2" } });
  expect(await repo.tested("$X publish")).toMatchObject({ decision: "deny", match: "maybe" });
  expect(await repo.tested("ls")).toMatchObject({ decision: null, rule: null, matches: [] });
  const { stdout } = await repo.run(["policy", "test", "git push"], { env: repo.env });
  expect(stdout).toMatch(/^deny, by no-push \(.*config\.yaml: line 3\)\n {2}reason: a person pushes/);
  const list = await repo.run(["policy", "list"], { env: repo.env });
  expect(list.stdout).toContain("no-push");
});

test("H5 first what denies, then what asks, then what allows; each engine gets what it can follow", async () => {
  using repo = new PolicyRepo();
  await repo.policy(
    `policy:
  - {command: npm publish …, decide: ask, reason: sure?}
  - {command: npm publish --dry-run …, decide: deny}
`,
    "policy: [{command: npm …, decide: allow}, {command: ls, decide: allow}]",
  );
  expect(await repo.bash("npm publish --dry-run")).toMatchObject({ code: 2 });
  const asked = await repo.bash("npm publish");
  expect(JSON.parse(asked.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
  expect(await repo.bash("npm publish", "codex")).toMatchObject({ code: 2, stderr: expect.stringContaining("sure?") });
  const allowed = await repo.bash("npm test && ls");
  expect(JSON.parse(allowed.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
  // What writes a file, sets a variable, or cannot be told, is not allowed by a rule.
  for (const command of ["npm test > x", "A=1 npm test", "ls $X", "npm test; rm x", "ls -l", "npm test $(x)"])
    expect([command, (await repo.tested(command)).decision]).toEqual([command, null]);
});

test("D6 H5 what a repository loosens counts for nothing before clew trust, and after a change again", async () => {
  using repo = new PolicyRepo();
  const loose = `policy:
  - {name: free, command: npm …, decide: allow}
  - {name: other, tool: shell, command: npm install, input: {command: npm ci}}
  - {tool: "mcp__*", output: hidden}
`;
  await repo.policy(loose);
  expect(await repo.bash("npm install")).toEqual({ code: 0, stdout: "", stderr: "" });
  const result = { tool_response: "secret" };
  expect(await repo.call("mcp__x__y", {}, result, "claude", "PostToolUse")).toMatchObject({ stdout: "" });
  expect(await repo.tested("npm install")).toMatchObject({
    decision: null,
    input: null,
    matches: [{ counts: false }, {}],
  });
  const trusted = await repo.run(["trust", "--json"], { env: repo.env });
  expect(JSON.parse(trusted.stdout)).toMatchObject({ trusted: true, rules: [{ name: "free" }, { name: "other" }, {}] });
  const rewritten = { hookSpecificOutput: { permissionDecision: "allow", updatedInput: { command: "npm ci" } } };
  expect(JSON.parse((await repo.bash("npm install")).stdout)).toMatchObject(rewritten);
  const replaced = await repo.call("mcp__x__y", {}, result, "claude", "PostToolUse");
  expect(JSON.parse(replaced.stdout)).toMatchObject({ hookSpecificOutput: { updatedMCPToolOutput: "hidden" } });
  // Only what an MCP tool answered.
  expect(await repo.call("Bash", {}, result, "claude", "PostToolUse")).toMatchObject({ stdout: "" });
  repo.configure(`${loose}  - {command: ls, decide: allow}\n`);
  expect(await repo.bash("npm install")).toMatchObject({ stdout: "" });
  await repo.run(["trust"], { env: repo.env });
  expect((await repo.bash("ls")).stdout).toContain("allow");
  await repo.run(["trust", "--revoke"], { env: repo.env });
  expect(await repo.bash("ls")).toMatchObject({ stdout: "" });
});

test("D6 H5 trust is not had from below a step", async () => {
  using user = new PolicyRepo();
  await user.policy("");
  const settings = "policy: [{name: free, command: npm publish, decide: allow}]\n";
  const trust = `"${process.execPath}" "${resolve("dist/clew.cjs")}" trust > ../../said 2>&1; echo $? >> ../../said`;
  using repo = new AskingRepo([{ run: trust }, done], { settings });
  expect(await repo.run(["run", "proj-1"], { env: user.env })).toMatchObject({ code: 0 });
  const said = readFileSync(join(repo.root, "said"), "utf8");
  expect(said).toContain("was started by the step");
  expect(said).toMatch(/\n[1-9]\d*\n$/);
  const rules = async (): Promise<unknown> =>
    JSON.parse((await repo.run(["policy", "list", "--json"], { env: user.env })).stdout);
  expect(await rules()).toMatchObject({ rules: [{ name: "free", counts: false }] });
  // A person can.
  await repo.run(["trust"], { env: user.env });
  expect(await rules()).toMatchObject({ rules: [{ name: "free", counts: true }] });
});

test("D6 H5 a rewritten call is judged once more", async () => {
  using repo = new PolicyRepo();
  await repo.policy(noPush, "policy: [{tool: shell, command: ls, input: {command: git push}}]");
  expect(await repo.bash("ls")).toMatchObject({ code: 2, stderr: expect.stringContaining("a person pushes") });
});

test("H5 paths are resolved, links are followed, and a shell does not get round them", async () => {
  using repo = new PolicyRepo();
  await repo.policy('policy:\n  - {path: "**/.env", decide: deny}\n  - {path: "gen/**", tool: edit, decide: deny}\n');
  writeFileSync(join(repo.root, ".env"), "A=1\n");
  mkdirSync(join(repo.root, "src"));
  symlinkSync("../.env", join(repo.root, "src/link"));
  const denied: [string, object][] = [
    ["Read", { file_path: ".env" }],
    ["Read", { file_path: join(repo.root, "src/../.env") }],
    ["Read", { file_path: "src/link" }],
    ["Write", { file_path: "/somewhere/else/.env", content: "" }],
    ["Bash", { command: "cat ./src/../.env" }],
    ["Bash", { command: "cp x --target=.env" }],
    ["Bash", { command: "echo x > .env" }],
    ["Bash", { command: "{ echo x; } > .env" }],
    ["Bash", { command: "for i in 1 2; do echo $i; done >> .env" }],
    ["Bash", { command: "sh -c 'cat .env'" }],
    ["Edit", { file_path: "gen/a/b.ts" }],
    ["Bash", { command: "echo x >> gen/a.ts" }],
    ["Bash", { command: "sed -i s/a/b/ gen/a.ts" }],
  ];
  for (const [tool, input] of denied) expect([input, (await repo.call(tool, input)).code]).toEqual([input, 2]);
  const patch = { command: "*** Begin Patch\n*** Update File: gen/a.ts\n+A\n*** End Patch\n" };
  expect(await repo.call("apply_patch", patch, {}, "codex")).toMatchObject({ code: 2 });
  for (const [tool, input] of [
    ["Read", { file_path: "env" }],
    ["Read", { file_path: "gen/a.ts" }],
    ["Bash", { command: "cat gen/a.ts" }],
  ] as const)
    expect([input, (await repo.call(tool, input)).code]).toEqual([input, 0]);
});

test("H5 an agent that went into a folder is held to the same paths", async () => {
  using repo = new PolicyRepo();
  await repo.policy("policy:\n  - {path: .env, decide: deny}\n  - {path: link/new, tool: edit, decide: deny}\n");
  mkdirSync(join(repo.root, "src"));
  symlinkSync("src", join(repo.root, "link"));
  const cwd = join(repo.root, "src");
  for (const [tool, input] of [
    ["Read", { file_path: join(repo.root, ".env") }],
    ["Read", { file_path: "../.env" }],
    ["Bash", { command: "cat ../.env" }],
    ["Bash", { command: "cd .. && cat .e*" }],
    ["Write", { file_path: "../link/new", content: "" }],
  ] as const)
    expect([input, (await repo.call(tool, input, { cwd })).code]).toEqual([input, 2]);
  expect(await repo.call("Read", { file_path: ".env" }, { cwd })).toMatchObject({ code: 0 });
});

/** Has the plugin tell of calls as opencode does: of a session, its subagent, and a subagent of that. */
const playPlugin = `
  const [path, directory] = process.argv.slice(1);
  const { ClewHooks } = await import(path);
  const hooks = await ClewHooks({ directory });
  for (const [id, parentID] of [["ses_1"], ["ses_2", "ses_1"], ["ses_3", "ses_2"]]) {
    await hooks.event({ event: { type: "session.created", properties: { info: { id, parentID } } } });
    for (const command of ["git push", "ls"]) {
      const call = { tool: "bash", sessionID: id, callID: id + command };
      const said = await hooks["tool.execute.before"](call, { args: { command } }).then(() => "went on", (error) => error.message);
      console.log(id, command, said);
    }
  }
`;

test("H5 subagents of opencode are denied as well, and their calls are none of their parent's", async () => {
  using repo = new PolicyRepo();
  await repo.policy(noPush);
  await repo.clew("hooks", "install", "--engine", "opencode");
  const plugin = join(repo.root, ".opencode/plugins/clew.js");
  const args = ["--input-type=module", "-e", playPlugin, plugin, repo.root];
  const said = execFileSync(process.execPath, args, { env: { ...process.env, ...repo.env }, encoding: "utf8" });
  expect(said.trim().split("\n")).toEqual(
    ["ses_1", "ses_2", "ses_3"].flatMap((id) => [
      expect.stringMatching(new RegExp(`^${id} git push a person pushes`)),
      `${id} ls went on`,
    ]),
  );
  const [session, ...others] = (await repo.json<SessionList>("session", "list")).sessions;
  expect(others).toEqual([]);
  expect((await repo.show(session!.session_id)).phases[0]!.entries).toHaveLength(2);
});

test("H5 steps and agents have rules of their own; context is added, an agent stopped, a compaction refused", async () => {
  using repo = new PolicyRepo();
  await repo.policy(`policy:
  - {step: review, tool: edit, decide: deny, reason: a review edits nothing}
  - {agent: explorer, tool: shell, decide: deny}
  - {tool: shell, command: npm test, context: use -- --run}
  - {command: rm -rf /, decide: stop, reason: enough}
  - {event: compaction, decide: deny, reason: not now}
  - {tool: WebFetch, event: result, decide: stop, reason: that is all}
`);
  const run = { CLEW_MARK: "2026-11-17-proj-a:review:word", CLEW_RUN: "2026-11-17-proj-a", CLEW_STEP: "review#2" };
  const edit = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: "a" } };
  expect(await repo.hook(edit, [], { ...repo.env, ...run })).toMatchObject({ code: 2 });
  expect(await repo.hook(edit, [], repo.env)).toMatchObject({ code: 0, stdout: "" });
  expect(await repo.call("Bash", { command: "ls" }, { agent_type: "Explorer" })).toMatchObject({ code: 2 });
  const context = await repo.bash("npm test");
  expect(JSON.parse(context.stdout)).toMatchObject({ hookSpecificOutput: { additionalContext: "use -- --run" } });
  const stopped = JSON.parse((await repo.bash("rm -fr /")).stdout) as object;
  expect(stopped).toMatchObject({ continue: false, hookSpecificOutput: { permissionDecision: "deny" } });
  expect(await repo.bash("rm -fr /", "codex")).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"') });
  const compact = { session_id: "s", hook_event_name: "PreCompact", trigger: "auto" };
  expect(await repo.hook(compact, [], repo.env)).toMatchObject({ code: 2, stderr: expect.stringContaining("not now") });
  const result = await repo.call("WebFetch", {}, { tool_response: "x" }, "claude", "PostToolUse");
  expect(JSON.parse(result.stdout)).toMatchObject({ continue: false });
});

test.each([
  ["policy: [{command: git push, decide: forbid}]\n", "line 1", "possible: deny, ask, allow, stop"],
  ["save: tool\npolicy:\n  - {decide: deny}\n  - {comand: x, decide: deny}\n", "line 4", "did you mean command"],
  ["policy: [{command: git … push, decide: deny}]\n", "line 1", "only at its end"],
  ["policy: [{command: git push}]\n", "line 1", "does nothing"],
  ["policy: [{command: git push, decide: deny, input: {command: ls}}]\n", "line 1", "write two rules"],
  ["policy: {a: b}\n", "line 1", "must be a list of rules"],
  ["policy: [{event: compaction, decide: ask}]\n", "line 1", "cannot decide ask"],
  ["policy: [\n", "config.yaml", ""],
])("H5 a broken policy denies tool calls and says why: %j", async (text, line, what) => {
  using repo = new PolicyRepo();
  await repo.policy(text);
  const denied = await repo.bash("ls");
  expect(denied).toMatchObject({ code: 2, stdout: "" });
  expect(denied.stderr).toContain("cannot be read");
  expect(denied.stderr).toContain(line);
  expect(denied.stderr).toContain(what);
  // Nothing else of the agent is stopped by it.
  expect(await repo.hook({ session_id: "s", hook_event_name: "Stop" }, [], repo.env)).toMatchObject({ code: 0 });
  const told = await repo.run(["policy", "test", "ls"], { env: repo.env });
  expect(told.code).not.toBe(0);
  expect(told.stderr).toContain(what);
});

test("H5 a call that cannot be read is denied where something is; without a policy nothing is", async () => {
  using repo = new PolicyRepo();
  await repo.policy(noPush);
  for (const input of ["", "{", '{"session_id": "s", "hook_event_name": "PreToolUse"}'])
    expect(await repo.hook(input, ["pre-tool-use"], repo.env)).toMatchObject({ code: 2 });
  repo.configure("save: tool\n");
  expect(await repo.hook("{", ["pre-tool-use"], repo.env)).toMatchObject({ code: 0 });
});

test("H5 your own rules count where Clew was never set up, and outside a repository; nothing is made or kept there", async () => {
  using repo = new PolicyRepo();
  await repo.policy("", `${noPush}  - {command: npm publish, decide: ask}\n`);
  using other = new FixtureFolder();
  for (const cwd of [other.repository, other.path]) {
    const tell = (tool_name: string, command: string) => {
      const call = { session_id: "s", hook_event_name: "PreToolUse", cwd, tool_name, tool_input: { command } };
      return repo.run(["hook", "pre-tool-use"], { cwd, env: repo.env, input: JSON.stringify(call) });
    };
    expect(await tell("Bash", "git push")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("a person pushes"),
    });
    expect((await tell("Bash", "npm publish")).stdout).toContain('"ask"');
    expect(await tell("Bash", "git status")).toEqual({ code: 0, stdout: "", stderr: "" });
  }
  expect(readdirSync(other.repository)).toEqual([".git"]);
  expect(existsSync(join(other.repository, ".git/clew"))).toBe(false);
});

/** A folder outside any repository, and a repository in it that Clew does not know. */
class FixtureFolder {
  readonly path = mkdtempSync(join(tmpdir(), "clew-elsewhere-"));
  readonly repository = join(this.path, "repository");

  constructor() {
    execFileSync("git", ["init", "-q", this.repository]);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

test("H5 a pipe, a device or a huge file in the place of settings is answered at once: with a no, and why", async () => {
  using repo = new PolicyRepo();
  await repo.policy("save: tool\n", noPush);
  const own = join(repo.root, ".clew/config.yaml");
  const users = join(repo.env["XDG_CONFIG_HOME"]!, "clew/config.yaml");
  const makers: [make: (file: string) => void, what: string][] = [
    [(file) => void execFileSync("mkfifo", [file]), "is a pipe"],
    [(file) => symlinkSync("/dev/zero", file), "is a device"],
    [(file) => writeFileSync(file, "# policy\n".repeat(200_000)), "is longer than"],
  ];
  for (const file of [own, users]) {
    const text = readFileSync(file);
    for (const [make, what] of makers) {
      rmSync(file, { force: true });
      make(file);
      const denied = await repo.bash("ls");
      expect([what, denied.code]).toEqual([what, 2]);
      expect(denied.stderr).toContain(file);
      // In a repository, the link itself is what is wrong.
      expect(denied.stderr).toMatch(/is a pipe|is a device|is longer|a link to \/dev\/zero|leads out/);
      expect(await repo.hook({ session_id: "s", hook_event_name: "Stop" }, [], repo.env)).toMatchObject({ code: 0 });
    }
    rmSync(file);
    writeFileSync(file, text);
  }
  expect(await repo.bash("ls")).toMatchObject({ code: 0 });
});

test("H5 hooks block when they fail only where something is denied, and status says when they do not", async () => {
  using repo = new PolicyRepo();
  await repo.policy("save: tool\n");
  const path = join(repo.root, ".claude/settings.local.json");
  const preToolUse = (): string =>
    JSON.stringify((JSON.parse(readFileSync(path, "utf8")) as Hooks).hooks["PreToolUse"]);
  const status = (): Promise<string> => repo.clew("hooks", "status", "--engine", "claude", "--scope", "local");
  await repo.clew("hooks", "install", "--engine", "claude");
  expect(preToolUse()).not.toContain("onFailure");
  repo.configure(noPush);
  expect(await status()).toContain("onFailure");
  await repo.clew("hooks", "install", "--engine", "claude");
  expect(preToolUse()).toContain('"onFailure":"block"');
  expect(readFileSync(path, "utf8").split("onFailure")).toHaveLength(2);
  expect(await status()).toMatch(/installed/);
  await repo.clew("hooks", "uninstall");
  expect(existsSync(path)).toBe(false);
});

interface Hooks {
  hooks: Record<string, unknown>;
}

test("H5 an agent of a run that asks for what is denied is told no, and no person is asked", async () => {
  const settings = "policy: [{command: npm publish, decide: deny, reason: not from here}]\n";
  using repo = new AskingRepo([publish, done], { settings });
  expect(await repo.run(["run", "proj-1"])).toMatchObject({ code: 0 });
  expect(repo.notes).toBe("");
  expect(await repo.lines("agent.permission")).toEqual([]);
  const [result] = await repo.lines("agent.tool_result");
  expect(result).toMatchObject({ name: "Bash", failed: true });
});

const noPublish = "policy: [{command: npm publish, decide: deny, reason: not from here}]\n";
/** A step that takes the rules out of the main checkout's settings. */
const loosen = { run: "sed -i /policy/d ../../.clew/config.yaml" };

test("D6 H5 rules that hold when a run begins hold until it ends, whatever its agent makes of the settings", async () => {
  using repo = new AskingRepo([loosen, publish, { run: "npm publish || true" }, done], { settings: noPublish });
  expect(await repo.run(["run", "proj-1"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(repo.root, ".clew/config.yaml"), "utf8")).not.toContain("policy");
  expect([repo.notes, await repo.lines("agent.permission")]).toEqual(["", []]);
  const results = await repo.lines("agent.tool_result");
  expect(results.map(({ failed }) => failed)).toEqual([false, true, true]);
  expect(JSON.stringify(results.at(-1))).toContain("not from here");
  const [first] = await repo.lines("workflow.started");
  expect(first!.pinned.policy).toMatchObject([{ label: "rule 1", command: "npm publish", decide: "deny" }]);
});

test("D6 H5 rules that a file gets while a run goes on count as well", async () => {
  const tighten = { run: "echo 'policy: [{command: npm publish, decide: deny}]' >> ../../.clew/config.yaml" };
  using repo = new AskingRepo([tighten, publish, done]);
  expect(await repo.run(["run", "proj-1"])).toMatchObject({ code: 0 });
  expect([repo.notes, await repo.lines("agent.permission")]).toEqual(["", []]);
});

test("D6 H5 rules that hold when a talk begins hold until it ends", async () => {
  const freely = { run: "sed -i /policy/d .clew/config.yaml" };
  using repo = new AskingRepo([freely, { run: "npm publish || touch made" }, { say: "done" }], { settings: noPublish });
  const { stdout } = await repo.run(["ai", "scripted", "go", "--one-shot", "--json"]);
  expect(readFileSync(join(repo.root, ".clew/config.yaml"), "utf8")).not.toContain("policy");
  expect(stdout).toContain("not from here");
  expect(existsSync(join(repo.root, "made"))).toBe(false);
});

test("H5 D6 what your own policy allows is not asked; what only a repository allows is", async () => {
  using user = new PolicyRepo();
  await user.policy("", "policy: [{command: npm publish, decide: allow}]\n");
  using allowed = new AskingRepo([publish, done]);
  expect(await allowed.run(["run", "proj-1"], { env: user.env })).toMatchObject({ code: 0 });
  expect(allowed.notes).toBe("published\n");
  const settings = "permission_wait: 300ms\npolicy: [{command: npm publish, decide: allow}]\n";
  using asked = new AskingRepo([publish, done], { settings });
  expect(await asked.run(["run", "proj-1"])).toMatchObject({ code: 4 });
  expect(await asked.permissions()).toMatchObject([{ kind: "permission" }]);
});

test("H5 what a rule asks about is asked of a person, also where the agent's level would allow it", async () => {
  const settings = "permission_wait: 300ms\npolicy: [{command: npm test, decide: ask}]\n";
  using repo = new AskingRepo([{ ask: ask("npm test"), run: "echo tested >> ../../notes" }, done], { settings });
  expect(await repo.run(["run", "proj-1"])).toMatchObject({ code: 4 });
  expect([repo.notes, (await repo.permissions()).length]).toEqual(["", 1]);
});

test("H5 the rules in the docs are rules, and do what the docs say", async () => {
  using repo = new PolicyRepo();
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/POLICY.md"), "utf8");
  await repo.policy("", /```yaml\n([^]*?)```/.exec(page)![1]);
  expect(await repo.tested("sh -c 'cd x && git push'")).toMatchObject({ decision: "deny", rule: { name: "no-push" } });
  expect(await repo.tested("--tool", "edit", "--path", "gen/a.ts", "--step", "review")).toMatchObject({
    decision: "deny",
  });
  expect(await repo.tested("npm test --watch")).toMatchObject({ decision: "allow" });
  expect(await repo.tested("--tool", "mcp__github__merge")).toMatchObject({ decision: "ask" });
  expect(await repo.tested("--event", "compaction")).toMatchObject({ decision: "deny" });
});
