import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { script } from "../support/runs.ts";

test("B.10 the diff of work under way has new files in it, in a pipe too, and git apply takes it", async () => {
  using repo = new MergeRepo("true", {
    before: [
      script(
        "half",
        "echo more >> shared.txt; mkdir -p sub; echo new > 'sub/new file.txt'; echo no > x.ignored; : > empty; exit 1",
      ),
    ],
  });
  repo.put(".env", "secret=1\n");
  repo.put(".clew/config.yaml", "default_grimoire: flow\nworktree: {copy: [.env]}\n");
  expect((await repo.clewRun("start")).code).toBe(3);
  const before = repo.at(repo.worktree, "status", "--porcelain");
  const diff = await repo.run(["run", "diff", "proj-1"]);
  expect(diff.code).toBe(0);
  expect(diff.stdout).toContain("+++ b/sub/new file.txt\t\n@@ -0,0 +1 @@\n+new\n");
  expect(diff.stdout).toContain("diff --git a/empty b/empty\nnew file mode 100644\n");
  expect(diff.stdout).toContain("+more");
  expect(diff.stdout).not.toMatch(/ignored|secret/);
  expect(await repo.json("run", "diff", "proj-1")).toMatchObject({ untracked: ["empty", "sub/new file.txt"] });
  expect(await repo.clew("run", "diff", "proj-1", "sub/new file.txt")).not.toContain("shared.txt");
  // Looking changes nothing.
  expect(repo.at(repo.worktree, "status", "--porcelain")).toBe(before);
  execFileSync("git", ["-C", repo.root, "apply"], { input: diff.stdout });
  expect([repo.text("sub/new file.txt"), repo.text("shared.txt")]).toEqual(["new\n", "one\ntwo\nthree\nmore\n"]);
  expect(join(repo.root, "empty")).toSatisfy(() => repo.text("empty") === "");
});
