import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

interface Shown {
  settings: { name: string; value: string; origin: string }[];
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
    grimoire_types: ["{}", "built in"],
    engine: ["claude", "built in"],
    engines: ["{}", "built in"],
    run_timeout: ["2h", "built in"],
    agent_timeout: ["15m", "built in"],
    script_timeout: ["5m", "built in"],
    max_concurrent_agents: ["3", "built in"],
    worktree: ["{}", "built in"],
    allow_linked_clew: ["false", "built in"],
    allow_outside_beads: ["false", "built in"],
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
    message: `${file}: unknown setting sesions_dir; did you mean sessions_dir?`,
  });
  repo.configure("zzz: 1\n");
  expect((await repo.refused(["session", "list"])).message).toBe(`${file}: unknown setting zzz`);
});

test("D6 a bad value names file, setting and what it must be", async () => {
  using repo = new Repo();
  using user = userConfig("idle_timeout: soon\n");
  const refused = await repo.refused(["config", "show"], { env: user.env });
  expect(refused).toMatchObject({ code: "invalid_config" });
  expect(refused.message).toMatch(/clew\/config\.yaml: idle_timeout: must be a duration such as 30m.*not "soon"$/);
  expect(refused.message.startsWith(user.file)).toBe(true);
  for (const bad of ["save: sometimes", "save: 5", "save:", "subagent_mode: both", "idle_timeout: -1s"]) {
    repo.configure(`${bad}\n`);
    const { message } = await repo.refused(["session", "list"]);
    expect(message).toContain(`.clew/config.yaml: ${bad.split(":")[0]}: must be`);
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
    ["save: tool\nidle_timeout: [1h\n", "line 3, column 1"],
    ["- save\n", "line 1"],
    ["save: tool\nsave: phase\n", "line 2, column 1"],
  ];
  for (const [text, place] of broken) {
    repo.configure(text);
    expect((await repo.refused(["session", "list"])).message).toContain(`.clew/config.yaml: ${place}`);
  }
});

test("D6 a mapping is shown as JSON, and a wrong one is refused with the form", async () => {
  using repo = new Repo();
  repo.configure("grimoire_types:\n  bug: fix-bug\n  feature: build-it\n");
  const { settings } = await repo.json<Shown>("config", "show");
  expect(settings.find(({ name }) => name === "grimoire_types")?.value).toBe('{"bug":"fix-bug","feature":"build-it"}');
  for (const wrong of ["[bug]", "fix-bug", "{bug: [a]}", "{bug: ../x}"]) {
    repo.configure(`grimoire_types: ${wrong}\n`);
    const { code, message } = await repo.refused(["config", "show"]);
    expect([code, message]).toEqual(["invalid_config", expect.stringContaining("such as {bug: fix-bug}")]);
  }
  repo.configure("default_grimoire: Not A Name\n");
  expect((await repo.refused(["config", "show"])).message).toContain("such as implement-bead");
});
