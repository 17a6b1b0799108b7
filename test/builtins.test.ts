import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../src/contract/grimoire.ts";
import { readGrimoire } from "../src/grimoire/definition/read-grimoire.ts";
import { parseOnce } from "../src/grimoire/template/parse-once.ts";
import { decideWhen } from "../src/grimoire/render/when.ts";
import { parseTemplate } from "../src/grimoire/template/parse.ts";
import type { Data } from "../src/grimoire/template/unknown.ts";
import {
  commandOf,
  grimoireNames,
  readBuiltin,
  readSpells,
  readText,
  stepsOf,
  testScript,
} from "./support/builtins/definitions.ts";
import { allTools, kinds, makefile, untested, withScript } from "./support/builtins/layouts.ts";
import { Project, shells } from "./support/builtins/project.ts";
import { anyVariables, hostileText, hostileTexts, promptOf, readPrompt } from "./support/builtins/prompts.ts";
import { Repo } from "./support/repo.ts";

describe.each(shells)("G1 implement-bead in $name", ({ words }) => {
  const script = testScript();

  test.each(kinds)("finds the tests of %s", (_kind, files, call) => {
    using project = new Project(files, allTools);
    const { code, output, errors, calls } = project.run(words, script);
    expect({ code, calls, errors }).toEqual({ code: 0, calls: [`${call} CI=1`], errors: "" });
    const tool = call.split(" ")[0]!;
    expect(output).toContain(`output of ${tool}\nerrors of ${tool}\n`);
  });

  test.each(untested)("says that it found no tests in %s", (_kind, files) => {
    using project = new Project(files, allTools);
    const { code, output, errors, calls } = project.run(words, script);
    expect({ code, calls, errors }).toEqual({ code: 0, calls: [], errors: "" });
    expect(output).toMatch(/^Looked in this folder for package\.json/);
    // What a merge's offer shows of it.
    expect(output.trimEnd()).toMatch(/\nNo test command was found: nothing was tested\.$/);
    expect(output).toContain("clew run demo-1 --var test_command=");
  });

  test("runs every kind of tests that is there, and names those that failed", () => {
    const files = { "package.json": withScript(), "Cargo.toml": "", "go.mod": "", "pom.xml": "" };
    using project = new Project(files, allTools);
    const { code, output, calls } = project.run(words, script, { FAIL: "npm=1 go=2" });
    expect(code).toBe(1);
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["npm", "cargo", "go", "mvn"]);
    expect(output).toMatch(/== failed: npm go\n$/);
    expect(project.run(words, script)).toMatchObject({ code: 0 });
  });

  test("leaves a Makefile that most likely calls the same tests, and says so", () => {
    using project = new Project({ "go.mod": "", Makefile: makefile("test:") }, allTools);
    const { code, output, calls } = project.run(words, script);
    expect({ code, calls }).toEqual({ code: 0, calls: ["go test ./... CI=1"] });
    expect(output).toContain('== not run: make test (to run it alone: --var test_command="make test")');
  });

  test.each([
    ["cargo", { "Cargo.toml": "" }],
    ["pnpm", { "package.json": withScript(), "pnpm-lock.yaml": "" }],
    ["uv", { "uv.lock": "", "pytest.ini": "" }],
    ["mvn", { "pom.xml": "" }],
    ["make", { Makefile: makefile("test:") }],
  ])("fails and names the program when %s is missing", (tool, files) => {
    using project = new Project({ ...files }, ["node"]);
    const { code, output } = project.run(words, script);
    expect(code).toBe(1);
    expect(output).toContain(`The program ${tool} is needed to test this project, but it is not installed.`);
  });

  test("reads package.json with bun where there is no node", () => {
    using project = new Project({ "package.json": withScript(), "bun.lock": "" }, ["bun"]);
    expect(project.run(words, script)).toMatchObject({ code: 0, calls: ["bun run test CI=1"] });
  });

  test("fails without node and bun only if there may be tests", () => {
    using tested = new Project({ "package.json": withScript() }, ["npm"]);
    const { code, output } = tested.run(words, script);
    expect(code).toBe(1);
    expect(output).toContain("The program node is needed");
    using formatted = new Project({ "package.json": "{}", "Cargo.toml": "" }, ["cargo"]);
    expect(formatted.run(words, script)).toMatchObject({ code: 0, calls: ["cargo test CI=1"] });
  });

  test("fails on a package.json that nobody can read", () => {
    using project = new Project({ "package.json": "{", "go.mod": "" }, allTools);
    const { code, output, calls } = project.run(words, script);
    expect({ code, calls }).toEqual({ code: 1, calls: ["go test ./... CI=1"] });
    expect(output).toContain("package.json cannot be read.");
    expect(output).toMatch(/== failed: package\.json\n$/);
  });

  test("does not take pytest without tests for a failure", () => {
    using project = new Project({ "pytest.ini": "" }, allTools);
    const { code, output } = project.run(words, script, { FAIL: "python3=5" });
    expect(code).toBe(0);
    expect(output).toContain("there are no tests");
    expect(project.run(words, script, { FAIL: "python3=2" })).toMatchObject({ code: 1 });
  });

  test("takes names of folders and files as names", () => {
    const names = ["test_$(touch harm).py", "-n_test.py", "test_`touch harm`;touch harm;.py", "tests/test_'\"&|*.py"];
    const files = Object.fromEntries(names.map((name) => [name, ""]));
    using project = new Project(files, allTools, "a $(touch harm) `touch harm`; touch harm '\" *");
    const before = project.names();
    expect(project.run(words, script)).toMatchObject({ code: 0, calls: ["python3 -m pytest CI=1"] });
    expect(project.names()).toEqual(before);
  });

  test("keeps the CI that is set", () => {
    using project = new Project({ "go.mod": "" }, allTools);
    expect(project.run(words, script, { CI: "true" }).calls).toEqual(["go test ./... CI=true"]);
  });

  test("runs the test command that was given and looks for no other", () => {
    using project = new Project({ "go.mod": "" }, allTools);
    const given = testScript("make check && echo 'it is' done >&2");
    const { code, output, errors, calls } = project.run(words, given);
    expect({ code, calls, errors }).toEqual({ code: 0, calls: ["make check CI=1"], errors: "" });
    expect(output).toMatch(/^== make check && echo 'it is' done >&2\n[^]*\nit is done\n$/);
    expect(project.run(words, given, { FAIL: "make=7" })).toMatchObject({ code: 7 });
  });
});

test("G1 every built-in tests with the same command", () => {
  const command = commandOf("implement-bead", "run-tests");
  expect(commandOf("implement-bead", "run-tests-again")).toBe(command);
  expect(commandOf("prepare-pr", "run-tests")).toBe(command);
});

describe.each(grimoireNames)("G1 the built-in %s", (name) => {
  const steps = stepsOf(readBuiltin(name).steps);

  test("is a grimoire, named after its file, whose steps have names of their own", () => {
    const { grimoire, problems } = readGrimoire(readText(name), `${name}.yaml`);
    expect(problems).toEqual([]);
    expect(grimoire?.name).toBe(name);
    expect(new Set(steps.map((step) => step.name)).size).toBe(steps.length);
  });

  test("holds templates that can be parsed", () => {
    const texts = steps.flatMap(({ command, when, input }) => [command, when, ...Object.values(input ?? {})]);
    for (const text of texts) expect(() => parseTemplate(name, text ?? "")).not.toThrow();
  });

  test("S2 names the agent of each agent step, so that a run's session tells who worked", () => {
    const agents = steps.filter(({ type }) => type === "agent").map(({ agent }) => agent);
    expect(agents).toEqual(agents.map(() => expect.stringMatching(/^[a-z]+$/) as string));
  });

  test("names spells that are there, and merges only what a person reviewed", () => {
    const named = steps.filter(({ type }) => type === "agent").map(({ spell }) => `${spell}.md`);
    expect([...readSpells().keys()]).toEqual(expect.arrayContaining(named));
    const merges = steps.filter(({ type }) => type === "merge");
    const verify = (): string => commandOf("implement-bead", "run-tests");
    expect(merges).toEqual(
      name !== "implement-bead"
        ? []
        : [
            {
              name: "merge",
              type: "merge",
              require_review: true,
              verify: verify(),
              timeout: "20m",
              on_changes: "continue",
              on_success: "exit_loop",
            },
          ],
    );
  });
});

describe("G5 built-in spells", () => {
  const spells = readSpells();
  const used = grimoireNames.flatMap((name) => stepsOf(readBuiltin(name).steps)).flatMap(({ spell }) => spell ?? []);

  test("include only partials that are there, and none is left over", () => {
    const included = [...spells.values()].flatMap((text) =>
      [...text.matchAll(/include "([^"]+)"/g)].map(([, name]) => name!),
    );
    // Work sessions use it, and no grimoire.
    const ofWork = ["work.md"];
    const names = new Set([...included, ...ofWork, ...used.map((name) => `${name}.md`)]);
    expect([...names].sort()).toEqual([...spells.keys()].sort());
  });

  test.each([...spells])("%s can be parsed", (name, text) => {
    expect(() => parseTemplate(name, text)).not.toThrow();
  });

  test.each([...new Set(used)])("%s states the rules first and ends with the result it must give", (name) => {
    const text = spells.get(`${name}.md`)!;
    expect(text).toMatch(/^You .+\n(?:.+\n)?\n\{\{include "rules\.md" may="(?:read|write|create beads)"\}\}\n/);
    expect(text).toMatch(
      /\n## Outputs\n\n- `[^]+\n\n\{\{include "result\.md" success="[^"]+" failure="[^"]+" -\}\}\n$/,
    );
  });

  test.each([...new Set(used)])("%s keeps data apart from the prompt and hands it over as it is", (name) => {
    const innocent = readPrompt(promptOf(name, anyVariables("a", "b")));
    const check = (one: string, other: string): void => {
      const hostile = readPrompt(promptOf(name, anyVariables(one, other)));
      expect(hostile.frame).toEqual(innocent.frame);
      const given = (_key: string, value: Json): Json => (value === "a" ? one : value === "b" ? other : value);
      expect(JSON.stringify(hostile.data)).toBe(JSON.stringify(innocent.data, given));
    };
    for (const text of hostileTexts) check(text, hostileTexts[0]!);
    fc.assert(fc.property(hostileText, hostileText, check));
  });
});

describe("G5 the bead in a prompt", () => {
  const dataOf = (bead: Record<string, Json>) => readPrompt(promptOf("implement", { bead })).data;

  test("is only what it has", () => {
    expect(dataOf({ id: "x-1", title: "T" })).toEqual({ id: "x-1", title: "T" });
    const empty = { description: "", labels: [], comments: null, priority: null, metadata: {} };
    expect(dataOf({ id: "x-1", title: "T", ...empty })).toEqual({ id: "x-1", title: "T" });
  });

  test("has its comments in order, its labels and its priority, the most urgent too", () => {
    const comments = ["zoe", "ann"].map((author, id) => ({ id, issue_id: "x-1", author, text: "Use B." }));
    expect(dataOf({ comments, labels: ["ui", "db"] })).toEqual({ comments, labels: ["ui", "db"] });
    expect(dataOf({ priority: 3 })).toEqual({ "priority, 0 (urgent) to 4 (some day)": 3 });
    expect(dataOf({ priority: 0 })).toEqual({ priority: "0 (urgent)" });
  });
});

test("G5 only the spell that creates beads may do so", () => {
  const allowing = [...readSpells().keys()].filter((name) =>
    promptOf(name.slice(0, -3), {}).includes("you may add beads"),
  );
  expect(allowing).toEqual(["create-beads.md"]);
});

describe.each(["implement-bead", "prepare-pr"])("G7 the conditions of %s", (name) => {
  const runs = (step: string, data: Data) =>
    decideWhen(stepsOf(readBuiltin(name).steps).find((each) => each.name === step)?.when ?? true, data, {
      parse: parseOnce(),
    });

  test.each<[Json | undefined, boolean]>([
    [[{ problem: "wrong" }], true],
    ["A text instead of a list", true],
    [{ problem: "wrong" }, true],
    [[], false],
    ["", false],
    ["none", false],
    [null, false],
    [undefined, false],
  ])("cope with what an agent gives as findings: %j", (findings, expected) => {
    expect(runs("decide", { review: { outputs: { findings } } })).toBe(expected);
    expect(runs("apply", { decide: { outputs: { findings } } })).toBe(expected);
  });

  test("cope with steps that were skipped and agents that gave nothing", () => {
    expect(runs("decide", { review: {} })).toBe(false);
    expect(runs("apply", {})).toBe(false);
    if (name === "implement-bead") {
      expect(runs("test-again-loop", {})).toBe(false);
      expect(runs("test-again-loop", { apply: { success: true } })).toBe(true);
    }
  });
});

describe("G1 prepare-pr", () => {
  const commit_message = "Say # why\n\n# not a comment";

  test.each(shells)("finds what the pull request holds in $name", ({ words }) => {
    using repo = new Repo();
    const findBase = (pr_base = "") => runStep(repo, words, "find-base", { pr_base });
    const first = repo.git("rev-parse", "HEAD");
    expect(findBase()).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing that main does not") });
    repo.git("switch", "-q", "-c", "work");
    write(repo, "a.txt", "a");
    repo.git("add", ".");
    repo.git("commit", "-q", "-m", "work");
    expect(findBase()).toEqual({ code: 0, stdout: first, stderr: "" });
    expect(findBase("main")).toEqual({ code: 0, stdout: first, stderr: "" });
    expect(findBase("--all")).toMatchObject({ code: 1, stderr: expect.stringContaining('no branch "--all"') });
    repo.git("branch", "-m", "main", "trunk");
    expect(findBase()).toMatchObject({ code: 1, stderr: expect.stringContaining("--var pr_base=BRANCH") });
  });

  test.each(shells)("commits what the run changed and nothing that was copied in, in $name", ({ words }) => {
    using repo = new Repo();
    for (const path of [".env", "ä b.txt", "*.js", "gone"]) write(repo, path, "copied");
    const untracked = runStep(repo, words, "list-untracked").stdout.trimEnd();
    const commit = (names: string) => runStep(repo, words, "commit", { untracked: names, commit_message });
    rmSync(join(repo.root, "gone"));
    for (const path of ["new.js", ".beads/issues.jsonl", ".clew/memos.yaml"]) write(repo, path, "new");
    expect(commit(untracked)).toMatchObject({ code: 0, stderr: "" });
    expect(repo.git("show", "--format=%B", "--name-only").trim()).toBe(`${commit_message}\n\n\nnew.js`);
    expect(commit(untracked)).toEqual({ code: 0, stdout: "Everything is committed already.\n", stderr: "" });
    write(repo, "late.js", "new");
    expect(commit("")).toMatchObject({ code: 0, stderr: "" });
    expect(repo.git("ls-files").split("\n")).toContain("late.js");
  });

  test.each(shells)("shows the text of the pull request as it is in $name", ({ words }) => {
    using repo = new Repo();
    const text = { title: "A $(title)", body: 'One `line`\nEND\n\\n "$HOME"' };
    const { code, stdout } = runStep(repo, words, "show", text);
    expect(code).toBe(0);
    expect(stdout).toContain("git push -u origin main\n");
    expect(stdout.startsWith(`${text.title}\n\n${text.body}\n\nTo open it`)).toBe(true);
  });
});

/** Runs a script of prepare-pr in which each action is a reference to a variable, as a run would make it. */
function runStep(repo: Repo, shell: string[], step: string, env: Record<string, string> = {}): Ended {
  const script = commandOf("prepare-pr", step)
    .replace(/\{\{(?:default "" )?\.(?:describe\.outputs\.)?(\w+)\}\}/g, "${$1}")
    .replaceAll("<<'END'", "<<END");
  const options = { cwd: repo.root, env: { ...process.env, ...env }, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(shell[0]!, [...shell.slice(1), "-c", script], options);
  return { code: status, stdout, stderr };
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function write(repo: Repo, path: string, text: string): void {
  mkdirSync(dirname(join(repo.root, path)), { recursive: true });
  writeFileSync(join(repo.root, path), text);
}
