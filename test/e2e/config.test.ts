import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";
import { runFlow, script, writeFlow } from "../support/runs.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

interface Shown {
  settings: { name: string; value: unknown; origin: string }[];
}

/** A user's own settings, in a folder that goes away. */
function userConfig(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "clew-user-"));
  mkdirSync(join(folder, "clew"));
  const file = join(folder, "clew/config.yaml");
  writeFileSync(file, text);
  return {
    file,
    env: { XDG_CONFIG_HOME: folder },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test("D6 config show names each value's origin: built in, the user's file, the repository's", async () => {
  using repo = new Repo();
  using user = userConfig("save: tool\nidle_timeout: 5m # mine\n");
  repo.configure('save: "30s"\n');
  const { stdout } = await repo.run(["config", "show", "--json"], { env: user.env });
  const { settings } = JSON.parse(stdout) as Shown;
  expect(Object.fromEntries(settings.map(({ name, value, origin }) => [name, [value, origin]]))).toEqual({
    sessions_dir: [".clew/sessions", "built in"],
    save: ["30s", join(repo.root, ".clew/config.yaml")],
    channel: ["dev", "built in"],
    subagent_mode: ["link", "built in"],
    idle_timeout: ["5m", user.file],
    default_grimoire: ["implement-bead", "built in"],
    grimoire_types: [{}, "built in"],
    engine: ["claude", "built in"],
    engines: [{}, "built in"],
    run_timeout: ["2h", "built in"],
    agent_timeout: ["15m", "built in"],
    script_timeout: ["5m", "built in"],
    permission_wait: ["30m", "built in"],
    policy: [[], "built in"],
    repair_results: [false, "built in"],
    context_budget: [150000, "built in"],
    turn_memos: ["ask", "built in"],
    execute_timeout: ["5m", "built in"],
    research_private: [false, "built in"],
    max_concurrent_agents: [3, "built in"],
    worktree: [{}, "built in"],
    allow_linked_clew: [false, "built in"],
    allow_full_agents: [false, "built in"],
    allow_outside_beads: [false, "built in"],
  });
  const shown = await repo.run(["config", "show"], { env: user.env });
  expect(shown.stdout).toMatch(new RegExp(`^save +30s +${join(repo.root, ".clew/config.yaml")} `, "m"));
});

test("D6 a setting of the user's counts in every repository", async () => {
  using repo = new Repo();
  using user = userConfig("subagent_mode: inline\nsessions_dir: notes/sessions\n");
  const run = async (...args: string[]) => (await repo.run(args, { env: user.env })).stdout.trim();
  const id = await run("session", "start", "By the user");
  expect(existsSync(join(repo.root, "notes/sessions", id, "session.md"))).toBe(true);
  await run("session", "log", "subagent", "--agent", "tester", "--summary", "green");
  expect(await run("session", "show", id, "--json")).toContain('"mode":"inline"');
  expect(await run("session", "list")).toContain(id);
});

test("D6 an unknown setting is refused with a suggestion and the file it stands in", async () => {
  using repo = new Repo();
  repo.configure("sesions_dir: x\n");
  const file = join(repo.root, ".clew/config.yaml");
  expect(await repo.refused(["session", "start", "x"])).toMatchObject({
    code: "invalid_config",
    message: `${file}: line 1: unknown setting sesions_dir; did you mean sessions_dir?`,
  });
  repo.configure("zzz: 1\n");
  expect((await repo.refused(["session", "list"])).message).toBe(`${file}: line 1: unknown setting zzz`);
});

test("D6 a bad value names file, setting and what it must be", async () => {
  using repo = new Repo();
  using user = userConfig("idle_timeout: soon\n");
  const refused = await repo.refused(["config", "show"], { env: user.env });
  expect(refused).toMatchObject({ code: "invalid_config" });
  expect(refused.message).toMatch(
    /clew\/config\.yaml: line 1: idle_timeout: must be a duration such as 30m.*not "soon"$/,
  );
  expect(refused.message.startsWith(user.file)).toBe(true);
  for (const bad of ["save: sometimes", "save: 5", "save:", "subagent_mode: both", "idle_timeout: -1s"]) {
    repo.configure(`${bad}\n`);
    const { message } = await repo.refused(["session", "list"]);
    expect(message).toContain(`.clew/config.yaml: line 1: ${bad.split(":")[0]}: must be`);
  }
});

test("D6 a sessions folder outside the repository, in .git, or among Clew's own files is refused", async () => {
  using repo = new Repo();
  for (const folder of ["../up", "/tmp/abs", ".git/x", "a/../../b", ".", ".clew/index", ".clew/transcripts/x"]) {
    repo.configure(`sessions_dir: ${JSON.stringify(folder)}\n`);
    expect((await repo.refused(["session", "start", "x"])).message).toContain("sessions_dir: must be a folder");
  }
});

test("D6 what is no YAML is named by file, line and column", async () => {
  using repo = new Repo();
  const broken: [text: string, place: string][] = [
    ["save: tool\nidle_timeout: [1h\n", "line 3, column 1: a list in [] is never closed"],
    ["- save\n", "line 1"],
    ["save: tool\nsave: phase\n", "line 2, column 1: the same key stands here a second time"],
    ["worktree: {copy: [.env]\n", "line 2, column 1: a mapping in {} is never closed"],
    ["worktree:\n\tsetup: x\n", "line 2, column 1: a tab stands in the indentation"],
  ];
  for (const [text, place] of broken) {
    repo.configure(text);
    expect((await repo.refused(["session", "list"])).message).toContain(`.clew/config.yaml: ${place}`);
  }
});

test("D6 a mapping is shown as a mapping, and a wrong one is refused with the form", async () => {
  using repo = new Repo();
  repo.configure("grimoire_types:\n  bug: fix-bug\n  feature: build-it\n");
  const { settings } = await repo.json<Shown>("config", "show");
  expect(settings.find(({ name }) => name === "grimoire_types")?.value).toEqual({
    bug: "fix-bug",
    feature: "build-it",
  });
  expect(await repo.clew("config", "show")).toContain('{"bug":"fix-bug","feature":"build-it"}');
  for (const wrong of ["[bug]", "fix-bug", "{bug: [a]}", "{bug: ../x}"]) {
    repo.configure(`grimoire_types: ${wrong}\n`);
    const { code, message } = await repo.refused(["config", "show"]);
    expect([code, message]).toEqual(["invalid_config", expect.stringContaining("such as {bug: fix-bug}")]);
  }
  repo.configure("default_grimoire: Not A Name\n");
  expect((await repo.refused(["config", "show"])).message).toContain("such as implement-bead");
});

test("B.10 a wrong value is told with its line and with the command that mends it, all of them at once", async () => {
  using repo = new Repo();
  repo.configure("# Ours\n\nsave: sometimes\nworktree:\n  setup: [1]\n");
  const file = join(repo.root, ".clew/config.yaml");
  const { message, hint } = await repo.refused(["config", "show"]);
  expect(message).toContain(`${file}: line 3: save: must be phase, tool, or an interval`);
  expect(message).toContain(`${file}: line 4: worktree: must be settings of worktrees`);
  expect(hint).toBe("mend the line, or: clew config set save VALUE");
  await repo.clew("config", "set", "save", "tool");
  await repo.clew("config", "set", "worktree.setup", "npm ci");
  expect(readFileSync(file, "utf8")).toBe("# Ours\n\nsave: tool\nworktree:\n  setup: npm ci\n");
});

test("B.10 config set changes one value and nothing else: comments and order stay", async () => {
  using repo = new Repo();
  await repo.clew("init");
  const file = join(repo.root, ".clew/config.yaml");
  const text =
    "# Settings\nsave:   phase   # often\n\n# Engines\nengine: claude\ngrimoire_types: {bug: fix-bug} # ours\nworktree:\n  # what it needs\n  copy: [.env]\n";
  repo.configure(text);
  expect(await repo.clew("config", "set", "save", "30s")).toBe(`save: 30s, was phase (${file})`);
  expect(readFileSync(file, "utf8")).toBe(text.replace("phase ", "30s "));
  await repo.clew("config", "set", "grimoire_types.feature", "build-it");
  await repo.clew("config", "set", "worktree.setup", "echo a: b # c");
  await repo.clew("config", "set", "max_concurrent_agents", "5");
  const lines = readFileSync(file, "utf8");
  for (const kept of [
    "# Settings\n",
    "# often",
    "# Engines\nengine: claude\n",
    "# ours",
    "  # what it needs\n",
    "copy: [.env]",
    "max_concurrent_agents: 5\n",
  ]) {
    expect(lines).toContain(kept);
  }
  const { settings } = await repo.json<Shown>("config", "show");
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    save: "30s",
    engine: "claude",
    max_concurrent_agents: 5,
    grimoire_types: { bug: "fix-bug", feature: "build-it" },
    worktree: { copy: [".env"], setup: "echo a: b # c" },
  });
  expect(await repo.json("config", "set", "max_concurrent_agents", "7")).toMatchObject({ value: 7, before: 5 });
});

test("B.10 config set refuses a wrong key or value with nothing written", async () => {
  using repo = new Repo();
  repo.configure("save: tool\n");
  const wrong: [args: string[], message: string | RegExp][] = [
    [["sav", "tool"], /unknown setting sav; did you mean save/],
    [["save", "sometimes"], /^save: must be phase, tool, or an interval.*not "sometimes"$/],
    [["save.x", "tool"], /save has no parts/],
    [["grimoire_types", "bug"], /such as \{bug: fix-bug\}/],
    [["worktree.setpu", "x"], /must be settings of worktrees/],
    [["allow_linked_clew", "true"], /loosens protection/],
    [
      ["engines.mine.acp", "[my-agent]"],
      /^engines\.mine\.acp loosens protection, and counts only in your own .*config\.yaml$/,
    ],
    [["engines.gemini", "{program: /opt/gemini}"], /^engines\.gemini\.program loosens protection/],
    [["engines.gemini.acp", "[my-agent]"], /under a name that no engine of Clew's has/],
    [["engines.mine.program", "/opt/mine"], /must be the whole path of the program of an engine that Clew knows/],
    [["engines.gemini.program", "gemini"], /must be the whole path/],
    [["engines.gemini.script", "play.yaml"], /only scripted has one/],
    [["engines.gemini.colour", "red"], /gemini has no setting colour/],
    [["engines.mine.acp", "my-agent --acp"], /must be a command as a list of words/],
  ];
  for (const [args, message] of wrong) {
    const refused = await repo.refused(["config", "set", ...args]);
    expect(refused.message).toMatch(message);
  }
  expect(await repo.refused(["config", "set", "save", "tool", "--user", "--repo"])).toMatchObject({ code: "usage" });
});

test("D6 programs of engines count only in the user's own file; other settings of engines are put together", async () => {
  using repo = new Repo();
  using user = userConfig("engines: {mine: {acp: [my-agent, --acp]}, scripted: {script: mine.yaml}}\n");
  repo.configure("engines: {scripted: {script: ours.yaml}}\n");
  const { stdout } = await repo.run(["config", "show", "--json"], { env: user.env });
  const engines = (JSON.parse(stdout) as Shown).settings.find(({ name }) => name === "engines");
  expect(engines).toEqual({
    name: "engines",
    value: { mine: { acp: ["my-agent", "--acp"] }, scripted: { script: "ours.yaml" } },
    origin: `${user.file}, ${join(repo.root, ".clew/config.yaml")}`,
  });
  repo.configure("save: tool\nengines: {mine: {acp: [their-agent]}}\n");
  const { code, stderr } = await repo.run(["config", "show"], { env: user.env });
  expect(code).toBe(2);
  expect(stderr).toContain("line 2: engines.mine.acp loosens protection, and counts only in your own");
  expect(stderr).toContain(user.file);
});

test("B.10 config set --user writes the user's file, through a link of theirs, and tells what goes before it", async () => {
  using repo = new Repo();
  using user = userConfig("");
  const own = join(repo.root, "dotfile.yaml");
  writeFileSync(own, "engine: claude\n");
  rmSync(user.file);
  symlinkSync(own, user.file);
  const set = (...args: string[]) => repo.run(["config", "set", ...args, "--user"], { env: user.env });
  expect(await set("allow_linked_clew", "true")).toMatchObject({ code: 0 });
  expect(readFileSync(own, "utf8")).toBe("engine: claude\nallow_linked_clew: true\n");
  repo.configure("save: phase\n");
  expect((await set("save", "tool")).stdout).toContain(".clew/config.yaml goes before it");
});

test("B.10 config set is refused through a link out of the repository", async () => {
  using repo = new Repo();
  using other = new Repo();
  mkdirSync(join(repo.root, ".clew"));
  symlinkSync(join(other.root, "theirs.yaml"), join(repo.root, ".clew/config.yaml"));
  writeFileSync(join(other.root, "theirs.yaml"), "save: phase\n");
  const { code, stderr } = await repo.run(["config", "set", "save", "tool"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("is a link to")]);
  expect(readFileSync(join(other.root, "theirs.yaml"), "utf8")).toBe("save: phase\n");
});

test("B.10 settings that are written at the same time are all there afterwards, and files of killed writers go", async () => {
  using repo = new Repo();
  using user = userConfig("");
  await repo.clew("init");
  const folders = [join(repo.root, ".clew"), dirname(user.file)];
  const left = folders.map((folder) => join(folder, ".config.yaml.4194304.new"));
  const fresh = folders.map((folder) => join(folder, `.config.yaml.${process.pid}.new`));
  for (const file of [...left, ...fresh]) writeFileSync(file, "engine: ");
  const settings = ["save", "idle_timeout", "run_timeout", "agent_timeout", "script_timeout"];
  for (const where of ["--repo", "--user"]) {
    const set = (name: string, value: string) => repo.run(["config", "set", name, value, where], { env: user.env });
    const outcomes = await Promise.all(settings.map((name) => set(name, "7m")));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(settings.map(() => [0, ""]));
    const file = where === "--user" ? user.file : join(repo.root, ".clew/config.yaml");
    for (const name of settings) expect(readFileSync(file, "utf8")).toContain(`${name}: 7m\n`);
  }
  expect([...left, ...fresh].map((file) => existsSync(file))).toEqual([false, false, true, true]);
});

test("B.10 a link in place of the settings stays one: what it leads to is written, and one that leads nowhere is refused", async () => {
  using repo = new Repo();
  using user = userConfig("");
  rmSync(user.file);
  symlinkSync(join(repo.root, "gone.yaml"), user.file);
  mkdirSync(join(repo.root, ".clew"));
  const own = join(repo.root, ".clew/config.yaml");
  symlinkSync("../nowhere.yaml", own);
  for (const where of ["--user", "--repo"]) {
    const refused = await repo.refused(["config", "set", "save", "tool", where], { env: user.env });
    expect(refused).toMatchObject({ code: "leads_outside", message: expect.stringContaining("not there") });
  }
  expect(lstatSync(user.file).isSymbolicLink() && lstatSync(own).isSymbolicLink()).toBe(true);
  writeFileSync(join(repo.root, "nowhere.yaml"), "engine: scripted\n");
  await repo.clew("config", "set", "save", "tool");
  expect(lstatSync(own).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(repo.root, "nowhere.yaml"), "utf8")).toBe("engine: scripted\nsave: tool\n");
});

test("B.10 whether .clew may be a link is read the same way by config set and by all others", async () => {
  using repo = new Repo();
  using other = new Repo();
  using user = userConfig('"allow_linked_clew": true\nworktree: {copy: [.env]}\n');
  mkdirSync(join(other.root, "theirs"));
  symlinkSync(join(other.root, "theirs"), join(repo.root, ".clew"));
  expect(await repo.run(["config", "set", "save", "tool"], { env: user.env })).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(join(other.root, "theirs/config.yaml"), "utf8")).toBe("save: tool\n");
  expect((await repo.run(["config", "show"], { env: user.env })).code).toBe(0);
  writeFileSync(user.file, "worktree: {setup: 'allow_linked_clew: true'}\n");
  expect((await repo.run(["config", "set", "save", "phase"], { env: user.env })).code).toBe(2);
});

test("D6 G12 a step changes no settings of the user's own, and no secret is written into settings", async () => {
  using repo = new Repo();
  using user = userConfig("engine: claude\n");
  writeFlow(
    repo,
    script("repo", `"${process.execPath}" "${program}" config set save tool`),
    script("own", `"${process.execPath}" "${program}" config set allow_linked_clew true --user`),
  );
  const { code, stdout } = await runFlow(repo, [], { env: user.env });
  expect([code, stdout]).toEqual([3, expect.stringContaining("was started by the step")]);
  expect(stdout).toContain("your own settings are not changed from there");
  expect(readFileSync(user.file, "utf8")).toBe("engine: claude\n");
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  for (const where of ["--repo", "--user"]) {
    const value = `TOKEN=${secret} npm ci`;
    const refused = await repo.refused(["config", "set", "worktree.setup", value, where], { env: user.env });
    expect(refused.message).toContain("looks like a secret");
    expect(JSON.stringify(refused)).not.toContain(secret);
  }
});
