import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectMergeFromBead } from "../support/bead-to-merge.ts";
import { clew, Folder, git, put, runClew, statusIn, textIn } from "../support/folders.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { outcomeOf, Repo, startProgram, type Refusal } from "../support/repo.ts";
import { bareWithWorktree, gitFolderElsewhere, kinds, seeded } from "../support/repository-kinds.ts";
import { until } from "../support/runs.ts";

/** The others: repository-kinds.long.test.ts. */
const usual = ["a linked worktree of a plain repository", "a submodule"];

describe("G12 repositories of every kind", () => {
  test.each(usual)("G11 G12 G13 %s: from a bead to its merge; what is in the way stays", (kind) =>
    expectMergeFromBead(kinds[kind]!),
  );

  test("G12 with a git folder elsewhere, a landing that was cut off is seen, taken back and done again", async () => {
    using base = new Folder();
    const { checkout } = gitFolderElsewhere(base.path);
    const caller = { cwd: checkout };
    const bead = await clew(caller, "bead", "create", "One");
    expect((await runClew(caller, "run", bead)).code).toBe(4);
    git(checkout, "bisect", "start");
    const waits = await runClew(caller, "run", "approve", bead);
    expect(waits).toMatchObject({ code: 4, stdout: expect.stringContaining(`under way in ${checkout}:`) as string });
    git(checkout, "bisect", "reset");

    const hook = join(base.path, "work.git/hooks/reference-transaction");
    const held = join(base.path, "held");
    const script = `#!/bin/sh\n[ "$1" = prepared ] && grep -q refs/heads/main || exit 0\necho x > '${held}'\nsleep 60\n`;
    writeFileSync(hook, script, { mode: 0o755 });
    const child = startProgram(["run", "approve", bead], caller);
    const ended = outcomeOf(child);
    await until(() => existsSync(held));
    for (const pid of treeOf(child.pid!)) endNow(pid);
    await ended;
    rmSync(hook);
    expect(statusIn(checkout)).not.toBe("");
    expect((await runClew(caller, "doctor")).stdout).toMatch(/half/);
    expect((await runClew(caller, "run", bead)).code).toBe(0);
    expect([statusIn(checkout), textIn(checkout, "src/new.txt")]).toEqual(["", "new\n"]);
  });

  test("G11 G13 all worktrees of a bare repository work in the one that Clew was set up in, until it is removed", async () => {
    using base = new Folder();
    const { checkout } = bareWithWorktree(base.path, "store.git");
    const other = join(base.path, "project/other");
    git(checkout, "worktree", "add", "-q", "-b", "other", other);
    await clew({ cwd: checkout }, "init");
    const bead = await clew({ cwd: other }, "bead", "create", "One");
    expect(textIn(checkout, ".beads/issues.jsonl")).toContain(bead);
    expect((await runClew({ cwd: other }, "run", bead)).code).toBe(4);
    expect(existsSync(join(checkout, ".worktrees", bead))).toBe(true);
    expect((await runClew({ cwd: other }, "run", "approve", bead)).code).toBe(0);
    expect([statusIn(checkout), textIn(checkout, "src/new.txt"), textIn(other, "src/new.txt")]).toEqual([
      "",
      "new\n",
      undefined,
    ]);
    git(other, "worktree", "remove", "--force", checkout);
    expect(await clew({ cwd: other }, "bead", "create", "Two")).not.toBe("");
    expect(existsSync(join(other, ".beads/issues.jsonl"))).toBe(true);
  });
});

/** Every file below a folder, with its size. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${path} ${lstatSync(join(folder, path)).size}`)
    .sort();
}

describe("G12 what cannot be worked in is refused before anything is written", () => {
  const places: Record<string, { make: (base: string) => string; code: string; says: string }> = {
    "a bare repository, also inside another one": {
      make(base) {
        const store = join(seeded(join(base, "outer")), "store.git");
        git(base, "init", "-q", "--bare", store);
        return store;
      },
      code: "not_a_repository",
      says: "bare",
    },
    "a project whose .git is bare": {
      make: (base) => dirname(bareWithWorktree(base, ".git").checkout),
      code: "not_a_repository",
      says: "git worktree",
    },
    "core.worktree that names a folder without .git": {
      make(base) {
        const checkout = seeded(join(base, "work"));
        mkdirSync(join(base, "files"));
        git(checkout, "config", "core.worktree", join(base, "files"));
        return checkout;
      },
      code: "not_a_repository",
      says: "core.worktree",
    },
    "a linked worktree of a git folder elsewhere, before Clew knows the main checkout": {
      make(base) {
        const { checkout } = gitFolderElsewhere(base);
        git(checkout, "worktree", "add", "-q", "-b", "side", join(base, "side"));
        return join(base, "side");
      },
      code: "not_a_repository",
      says: "clew init",
    },
    "a sparse checkout that leaves out what Clew would write": {
      make(base) {
        const checkout = seeded(join(base, "work"));
        git(checkout, "sparse-checkout", "set", "src");
        return checkout;
      },
      code: "not_possible_now",
      says: "git sparse-checkout add .clew",
    },
  };
  for (const [what, { make, code, says }] of Object.entries(places)) {
    test(`G12 ${what}`, async () => {
      using base = new Folder();
      const cwd = make(base.path);
      const before = filesBelow(base.path);
      const { code: exit, stdout } = await runClew({ cwd }, "init", "--json");
      const { error } = JSON.parse(stdout) as { error: Refusal };
      expect([exit, error.code, `${error.message}: ${error.hint}`]).toEqual([2, code, expect.stringContaining(says)]);
      expect(filesBelow(base.path)).toEqual(before);
    });
  }

  test("G13 beads that a sparse checkout leaves out are not written over", async () => {
    using base = new Folder();
    const cwd = seeded(join(base.path, "work"));
    const bead = await clew({ cwd }, "bead", "create", "One");
    git(cwd, "add", "--all");
    git(cwd, "commit", "-q", "-m", "a bead");
    git(cwd, "sparse-checkout", "set", "src", ".clew");
    const refused = await runClew({ cwd }, "bead", "create", "Two");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("sparse-checkout add .beads") as string });
    git(cwd, "sparse-checkout", "add", ".beads");
    expect(textIn(cwd, ".beads/issues.jsonl")).toContain(bead);
    expect((await runClew({ cwd }, "bead", "create", "Two")).code).toBe(0);
  });

  test("G12 refs that Clew cannot read", async () => {
    using repo = new Repo();
    // As git leaves it where it keeps refs in a reftable.
    writeFileSync(join(repo.root, ".git/HEAD"), "ref: refs/heads/.invalid\n");
    await repo.clew("bead", "create", "One");
    const bead = (await repo.json<{ beads: { id: string }[] }>("bead", "list")).beads[0]!.id;
    expect(await repo.refused(["run", bead])).toMatchObject({ code: "not_available" });
  });
});

test("G12 a branch that is only another name of one lands as that one", async () => {
  using base = new Folder();
  const cwd = seeded(join(base.path, "work"));
  git(cwd, "symbolic-ref", "refs/heads/trunk", "refs/heads/main");
  git(cwd, "symbolic-ref", "HEAD", "refs/heads/trunk");
  const bead = await clew({ cwd }, "bead", "create", "One");
  expect((await runClew({ cwd }, "run", bead)).code).toBe(4);
  put(cwd, "shared.txt", "mine\n");
  expect((await runClew({ cwd }, "run", "approve", bead)).code).toBe(4);
  git(cwd, "checkout", "--", "shared.txt");
  expect((await runClew({ cwd }, "run", "approve", bead)).code).toBe(0);
  expect([statusIn(cwd), textIn(cwd, "src/new.txt")]).toEqual(["", "new\n"]);
});

test("S1 the demo leaves a repository alone that is named in the environment", async () => {
  using base = new Folder();
  const checkout = seeded(join(base.path, "work"));
  const head = git(checkout, "rev-parse", "HEAD");
  const env = { GIT_DIR: join(checkout, ".git"), GIT_WORK_TREE: checkout };
  const child = startProgram(["demo", "--keep", "demo"], { cwd: base.path, env });
  const ended = outcomeOf(child);
  // By then it has made its own repository.
  await new Promise((done) => child.stdout!.once("data", done));
  for (const pid of treeOf(child.pid!)) endNow(pid);
  await ended;
  expect([git(checkout, "rev-parse", "HEAD"), git(checkout, "status", "--short")]).toEqual([head, ""]);
});
