import { expect, test } from "vitest";
import type { AgentStep, Step } from "../../src/contract/grimoire.ts";
import { CodifyRepo, phase, ran, tool } from "../support/codify-repo.ts";

const kinds = (steps: Step[]): string[] => steps.map(({ name, type }) => `${name} ${type}`);
const spellOf = (step: Step | undefined): string => (step as AgentStep).spell;

test("S13 no script, gate or verification is made of a command that goes on in the background", async () => {
  using repo = new CodifyRepo();
  const id = await repo.session("Serve it", [
    phase("Serve"),
    ran('npm run dev {"run_in_background":true}'),
    phase("Test"),
    ran('npm test {"run_in_background":true}'),
  ]);
  const { grimoire, notes } = await repo.codify(id);
  expect(kinds(grimoire.steps)).toEqual(["serve agent", "test agent", "merge merge"]);
  expect(spellOf(grimoire.steps[0])).toContain("Commands that were run:\n- npm run dev (in the background)\n");
  expect(grimoire.steps[2]).not.toHaveProperty("verify");
  expect(notes).toContain("Serve: no script was made of commands that were run: npm run dev went on in the background");
});

test.each([
  ["a cd before it", (): object[] => [ran("cd packages/app"), ran("npm test")], "after cd packages/app"],
  [
    "a cd in a list",
    (): object[] => [ran("cd packages/app && npm ci"), ran("npm test")],
    "in a folder that is not known",
  ],
  ["its own folder", (): object[] => [ran('npm test {"dir_path":"packages/app"}')], "in packages/app"],
])("S13 tests in another folder, by %s, are no tests at the root", async (_, entries, where) => {
  using repo = new CodifyRepo();
  const work = entries();
  const id = await repo.session("Test it", [phase("Go"), ...work.slice(0, -1), phase("Test"), ...work.slice(-1)]);
  const { grimoire } = await repo.codify(id);
  const testStep = grimoire.steps.find(({ name }) => name === "test");
  expect(testStep?.type).toBe("agent");
  expect(spellOf(testStep)).toContain(`- npm test (${where})\n`);
  expect(grimoire.steps.at(-1)).not.toHaveProperty("verify");
});

test("S13 what ran at the root is a script again after a cd back to it, and where an engine names it", async () => {
  using repo = new CodifyRepo();
  const id = await repo.session("Test it", [
    phase("Look"),
    ran("cd packages/app"),
    phase("Build"),
    ran(`npm run build {"cwd":${JSON.stringify(repo.root)}}`),
    phase("Test"),
    ran(`cd "${repo.root}" && npm test`),
    phase("Lint"),
    ran("npm run lint"),
  ]);
  const { grimoire } = await repo.codify(id);
  expect(kinds(grimoire.steps)).toEqual(["look agent", "build script", "test script", "lint script", "merge merge"]);
  expect(grimoire.steps.slice(1, 4)).toMatchObject([
    { command: "npm run build" },
    { command: "npm test" },
    { command: "npm run lint" },
  ]);
});

test("S13 commands that are more than words stand in a spell and in a note, and no phase vanishes", async () => {
  using repo = new CodifyRepo();
  const id = await repo.session("Build it", [
    phase("Build"),
    ran("npm run build 2>&1 | tail -5"),
    ran("NODE_ENV=test npm test"),
  ]);
  const { grimoire, notes } = await repo.codify(id);
  expect(spellOf(grimoire.steps[0])).toContain(
    "Commands that were run:\n- npm run build 2>&1 | tail -5\n- NODE_ENV=test npm test\n",
  );
  expect(notes).toContain(
    "Build: no script was made of commands that were run: npm run build 2>&1 | tail -5 is more than words; NODE_ENV=test npm test is more than words",
  );
});

test("S13 a phase in which another agent worked is no script of its commands alone", async () => {
  using repo = new CodifyRepo();
  const id = await repo.session("Mend it", [
    phase("Mend"),
    { kind: "subagent", agent: "mender", mode: "inline", summary: "Mended the parser" },
    ran("npm test"),
  ]);
  const { grimoire } = await repo.codify(id);
  expect(kinds(grimoire.steps)).toEqual(["mend agent", "merge merge"]);
  expect(spellOf(grimoire.steps[0])).toContain("- mender: Mended the parser\n");
  expect(spellOf(grimoire.steps[0])).toContain("- npm test\n");
});

test("S13 paths of a worktree are named from its root, also when it is gone", async () => {
  using repo = new CodifyRepo();
  const worktree = `${repo.root}/.worktrees/proj-1`;
  const id = await repo.session("Mend it", [
    phase("Mend"),
    tool("Edit", `${worktree}/src/a.js`),
    phase("Test"),
    ran(`cd "${worktree}" && npm test`),
    phase("Run"),
    ran(`node "${worktree}/src/a.js"`),
    phase("Count"),
    ran(`cat "${worktree}/src/a.js" | wc`),
  ]);
  const { grimoire, text } = await repo.codify(id);
  expect(text).not.toContain(".worktrees");
  expect(spellOf(grimoire.steps[0])).toContain("- src/a.js\n");
  expect(grimoire.steps.slice(1)).toMatchObject([
    { command: "npm test" },
    { command: "node src/a.js" },
    { spell: expect.stringContaining('- cat "src/a.js" | wc\n') },
    { type: "merge", verify: "npm test" },
  ]);
});

test("S13 a list of words for a shell is the script that it holds", async () => {
  using repo = new CodifyRepo();
  const id = await repo.session("Test it", [phase("Test"), tool("shell", '{"command":["bash","-lc","npm test"]}')]);
  const { grimoire } = await repo.codify(id);
  expect(grimoire.steps[0]).toMatchObject({ type: "script", command: "npm test" });
});
