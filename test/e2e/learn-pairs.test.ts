import { expect, test } from "vitest";
import type { CaseList } from "../../src/contract/api/learn.ts";
import { call, LearnRepo } from "../support/learn-repo.ts";

/** What shows that a failed call was mended, when something was edited and another call passed. */
async function basisOf(failed: [name: string, args: string], passed: [name: string, args: string]): Promise<unknown> {
  using repo = new LearnRepo();
  await repo.session(
    "Pair",
    call(failed[1], "the widget is upside down today", true, failed[0]),
    call("src/widget.ts", "done", false, "Write"),
    call(passed[1], "fine", false, passed[0]),
  );
  const { cases } = await repo.json<CaseList>("session", "learn", "--type", "puzzle");
  expect(cases).toHaveLength(1);
  return cases[0]!.basis;
}

test.each([
  ["Bash", "echo hi; exit 3", "Bash", "echo b"],
  ["Bash", "npm test", "Bash", "npm run build"],
  ["Bash", "npm test", "Bash", "npm"],
  ["shell", '["npm","test"]', "shell", '["npm","run","build"]'],
  ["shell", '{"command":["npm","test"],"workdir":"/a"}', "shell", '{"command":["npm","test"],"workdir":"/b"}'],
  ["Bash", 'grep "a  b" x.txt', "Bash", 'grep "a b" x.txt'],
  ["Bash", "cd x\nmake", "Bash", "cd x make"],
  ["Grep", "upside down", "Grep", "upside up"],
  ["mcp__shop__order", "two apples", "mcp__shop__order", "two pears"],
  ["Edit", 'my notes/a.md {"old_string":"x"}', "Edit", 'my notes/b.md {"old_string":"x"}'],
])("S15 %s %s is not mended by %s %s", async (failedName, failed, passedName, passed) => {
  expect(await basisOf([failedName, failed], [passedName, passed])).toBeNull();
});

test.each([
  ["Bash", "npm  test", "Bash", " npm test "],
  ["shell", '["npm","test"]', "Bash", "npm test"],
  ["shell", '["bash","-lc","npm test"]', "exec_command", '{"cmd":"npm test"}'],
  ["shell", 'Runs the tests {"command":["npm","test"]}', "shell", '{"command":["npm","test"]}'],
  ["Edit", 'my notes/a.md {"old_string":"x"}', "Edit", 'my notes/a.md {"old_string":"y"}'],
])("S15 %s %s is mended by %s %s", async (failedName, failed, passedName, passed) => {
  expect(await basisOf([failedName, failed], [passedName, passed])).toBe("passing_run");
});
