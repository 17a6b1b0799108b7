import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { clew, Folder, git, put, runClew, statusIn, textIn, type Caller } from "./folders.ts";
import type { Place } from "./repository-kinds.ts";

/** Two beads in a repository of some kind: one goes to its merge, with something in the way at first, one is given up. */
export async function expectMergeFromBead(make: (base: string) => Place): Promise<void> {
  using base = new Folder();
  const { checkout, cwd = checkout, env = {} } = make(base.path);
  const caller: Caller = { cwd, env };
  const status = (): string => statusIn(checkout);
  await clew(caller, "init");
  const first = await clew(caller, "bead", "create", "One");
  const second = await clew(caller, "bead", "create", "Two");
  const runs = await Promise.all([first, second].map((bead) => runClew(caller, "run", bead)));
  expect(runs.map(({ code }) => code)).toEqual([4, 4]);
  const worktree = join(checkout, ".worktrees", first);
  // A process in the worktree, such as a step, is in the same repository.
  expect(await clew({ cwd: worktree, env }, "run", "diff", first)).toContain("+++ b/src/new.txt");
  expect(existsSync(join(worktree, ".clew/sessions"))).toBe(false);
  expect(status()).toBe("");

  const before = git(checkout, "rev-parse", "HEAD");
  put(checkout, "shared.txt", "mine\n");
  const waits = await runClew(caller, "run", "approve", first);
  expect(waits).toMatchObject({ code: 4, stdout: expect.stringContaining("shared.txt") as string });
  expect([textIn(checkout, "shared.txt"), status()]).toEqual(["mine\n", " M shared.txt"]);
  expect(git(checkout, "rev-parse", "HEAD")).toBe(before);
  git(checkout, "checkout", "--", "shared.txt");

  expect(await runClew(caller, "run", "approve", first)).toMatchObject({ code: 0 });
  expect(git(checkout, "log", "-1", "--format=%s %P")).toMatch(new RegExp(`^Merge ${first}: One ${before} `));
  expect([status(), textIn(checkout, "src/new.txt"), textIn(checkout, "shared.txt")]).toEqual([
    "",
    "new\n",
    "one\ntwo\nthree\nfour\n",
  ]);

  expect((await runClew(caller, "run", "cancel", second)).code).toBe(0);
  const names = readdirSync(join(checkout, ".worktrees")).filter((name) => name !== ".gitignore");
  expect(names).toEqual([expect.stringMatching(new RegExp(`^${second}\\..+`))]);
  const [list, , doctor] = await Promise.all(
    [["worktree", "list"], ["worktree", "prune"], ["doctor"]].map((args) => clew(caller, ...args)),
  );
  expect(list).toContain(`.worktrees/${names[0]}`);
  expect(doctor).not.toMatch(/^[✗!] (?!engine )/m);
  expect([status(), existsSync(join(checkout, ".worktrees", names[0]!))]).toEqual(["", true]);
  const { GIT_WORK_TREE: other } = env;
  if (other !== undefined) expect(git(other, "status", "--short")).toBe("");
}
