import { expect, test } from "vitest";
import { runSetup } from "./run-setup.ts";
import { GitRepo } from "./worktrees.fixture.ts";

test("G11 worktree.setup is a command line for the shell, in the worktree", async () => {
  using repo = new GitRepo();
  const folder = await repo.made();
  const printed: string[] = [];
  const pids: number[] = [];
  const end = await runSetup('pwd; echo "$GREETING" >&2; echo x > made && exit 3', folder, {
    env: { PATH: process.env["PATH"], GREETING: "hello" },
    signal: new AbortController().signal,
    mark: "mark-of-this-test",
    onProcess: ({ pid }) => void pids.push(pid),
    onOutput: (stream, text) => void printed.push(`${stream} ${text}`),
  });
  expect(end).toMatchObject({ code: 3, ended: "exited" });
  expect(printed.sort()).toEqual(["stderr hello\n", `stdout ${folder}\n`]);
  expect([pids.length, repo.read(folder, "made")]).toEqual([1, "x\n"]);
});
