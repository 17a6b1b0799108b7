import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CodifiedText } from "../../src/contract/api/codify.ts";
import { bead, write, writeBead } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { showRun } from "../support/runs.ts";

const says = (outputs: object = {}): object => ({ success: true, summary: "done", outputs });
const finding = { file: "made.txt", line: 1, problem: "bad", suggestion: "better" };
const turns = [
  { when: "who implements one bead", write: { path: "made.txt", content: "new\n" } },
  { when: "who implements one bead", result: says() },
  { when: "the tests of this project pass again", write: { path: "fixed", content: "x\n" } },
  { when: "the tests of this project pass again", result: says() },
  { when: "You are a reviewer", result: says({ findings: [finding] }) },
  { when: "You decide which findings", result: says({ findings: [finding], left: [] }) },
  { when: "who applies the findings", write: { path: "made.txt", content: "better\n" } },
  { when: "who applies the findings", result: says() },
  { when: "the text of a pull request", result: says({ title: "T", body: "B", commit_message: "M" }) },
  { when: "You plan work", result: says({ beads: [] }) },
  { when: "who checks a plan before", result: says({ beads: [] }) },
  { when: "You enter planned beads", result: says() },
];
const tests = ["--var", "test_command=test -f fixed"];

/** Runs of the built-in grimoires, each on a bead of its own. The tests of the project fail once. */
class BuiltinRepo extends MergeRepo {
  constructor() {
    super("true");
    writeBead(this, bead, { ...bead, id: "proj-2" }, { ...bead, id: "proj-3" });
    write(this, "script.json", JSON.stringify({ turns }));
    Object.assign(this.env, { CLEW_SCRIPT: join(this.root, "script.json") });
    this.git("switch", "-q", "-c", "work");
    this.put("a.txt", "a\n");
    this.git("add", "a.txt");
    this.git("commit", "-q", "-m", "work");
  }

  async ran(id: string, grimoire: string, ...more: string[]): Promise<string[]> {
    await this.run(["run", id, "--grimoire", grimoire, ...more]);
    return (await showRun(this)).steps.map(({ path, status }) => `${path} ${status}`);
  }

  codify(...args: string[]): Promise<CodifiedText> {
    return this.json<CodifiedText>("session", "codify", ...args);
  }
}

describe("S13 runs of the built-in grimoires, codified as markup, validate, preview and run", () => {
  test.each([
    [
      "implement-bead",
      ["start", "implement", "run-tests", "fix-tests", "review", "decide", "apply", "run-tests-again"],
      ["the step is left out", "revise is left out: its condition", "fix-tests: lines of its spell"],
    ],
    [
      "prepare-pr",
      ["find-base", "review", "decide", "apply", "run-tests", "fix-tests", "describe", "commit", "show"],
      ["apply: gates exist in the grimoire form only", "fix-tests: lines of its spell"],
    ],
    [
      "spec-to-beads",
      ["propose", "critique", "create"],
      ["create: gates exist in the grimoire form only: requires is left out"],
    ],
  ])("S13 %s", async (name, steps, said) => {
    using repo = new BuiltinRepo();
    await repo.ran("proj-1", name, ...tests);
    const codified = await repo.codify("latest", "--format", "markup");
    expect([codified.valid, codified.problems]).toEqual([true, []]);
    for (const each of said) expect(codified.notes.join("\n")).toContain(each);
    await repo.clew("session", "codify", "latest", "--format", "markup", "-o", "flow.md");
    await repo.clew("grimoire", "validate", "flow.md");
    await repo.clew("grimoire", "preview", "flow.md", "--bead", "proj-2", ...tests);
    const ran = await repo.ran("proj-2", "flow.md", ...tests);
    expect(ran.map((each) => each.split(" ")[0])).toEqual(expect.arrayContaining(steps));
    expect((await showRun(repo)).status).toBe("completed");
  });
});

const round = `---
type: workflow
name: round
---
# Tests it, and mends it.

test-1 → tell

## test-1 @sh #qa ?

\`\`\`sh
exit 1
\`\`\`

If test-1.failed → proceed to mend

## mend @coder #build

\`\`\`spell
You are a reviewer.
All of it.
\`\`\`

Takes nothing → creates:
- notes::Text

## tell @sh

\`\`\`sh
echo done
\`\`\`
`;

test("S13 markup that ran is codified as the same markup, with its channels, which the session has too", async () => {
  using repo = new BuiltinRepo();
  const outputs = says({ notes: "n" });
  write(repo, "script.json", JSON.stringify({ turns: [{ when: "You are a reviewer", result: outputs }] }));
  write(repo, "round.md", round);
  expect(await repo.ran("proj-1", "round.md")).toEqual(["test-1 failed", "mend succeeded", "tell succeeded"]);
  const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list", "--kind", "run");
  const { phases } = await repo.show(sessions[0]!.session_id);
  expect(phases.map(({ title, channel }) => `${title} #${channel}`)).toEqual([
    "test-1 #qa",
    "mend #build",
    "tell #dev",
  ]);
  expect((await repo.codify("latest", "--format", "markup")).text).toBe(round);
});

test("S13 what two grimoires have in common validates: spells lose what only one of them set", async () => {
  using repo = new BuiltinRepo();
  await repo.ran("proj-1", "implement-bead", ...tests);
  await repo.ran("proj-2", "prepare-pr", ...tests);
  const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list", "--kind", "run");
  const ids = sessions.map(({ session_id }) => session_id).toSorted();
  const common = await repo.codify(...ids);
  expect([common.valid, common.problems]).toEqual([true, []]);
  expect(common.text).not.toContain(".base}}");
  expect(common.text).not.toContain("lists with `??`");
  expect(common.notes).toContain("test-again-loop: only some of the sessions have when, which is left out");
  expect(common.notes.join("\n")).not.toContain("differ in when");
  await repo.clew("session", "codify", ...ids, "-o", "common.yaml");
  expect(await repo.ran("proj-3", "common.yaml", ...tests)).toContain("review succeeded");
});
