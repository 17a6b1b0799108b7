import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { holdLanding, landingHeld } from "../support/held-landing.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { showRun, until } from "../support/runs.ts";

const addFile = "echo new > new.txt; echo four >> shared.txt; echo i > kept.ignored; git add -f kept.ignored";

/** A run that waits for its review. */
async function waiting(work = addFile): Promise<MergeRepo> {
  const repo = new MergeRepo(work);
  expect((await repo.clewRun("start")).code).toBe(4);
  return repo;
}

describe("G12 the user's own checkout", () => {
  test("G12 work that has nothing to do with the merge stays as it is, staged, unstaged, untracked and ignored", async () => {
    using repo = await waiting();
    repo.git("config", "merge.autoStash", "true");
    repo.git("config", "branch.main.mergeOptions", "--no-ff --no-commit");
    repo.put("staged.txt", "staged\n");
    repo.git("add", "staged.txt");
    repo.put("kept.txt", "kept\nand changed\n");
    repo.put("untracked.txt", "untracked\n");
    repo.put("mine.ignored", "ignored\n");
    const own = (): string[] =>
      repo
        .git("status", "--short", "--ignored", "--", ":!.clew", ":!.beads")
        .split("\n")
        .filter((line) => !line.includes(".worktrees/"));
    const before = own();
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(own()).toEqual(before);
    expect(repo.text("kept.txt")).toBe("kept\nand changed\n");
    expect([repo.text("new.txt"), repo.text("mine.ignored")]).toEqual(["new\n", "ignored\n"]);
    expect(repo.git("stash", "list")).toBe("");
  });

  for (const [what, path, prepare] of [
    ["an unstaged change", "shared.txt", () => undefined],
    ["a staged change", "shared.txt", (repo: MergeRepo) => repo.git("add", "shared.txt")],
    ["an untracked file", "new.txt", () => undefined],
    ["an ignored file", "kept.ignored", () => undefined],
  ] as const) {
    test(`G12 ${what} in the way makes the run wait and is named; once it is gone, approve lands`, async () => {
      using repo = await waiting();
      repo.put(path, "mine\n");
      prepare(repo);
      const refused = await repo.clewRun("approve");
      expect(refused.code).toBe(4);
      expect(refused.stdout).toContain(path);
      expect(repo.text(path)).toBe("mine\n");
      expect(await repo.beadStatus()).toBe("in_progress");
      if (path === "shared.txt") repo.git("checkout", "HEAD", "--", path);
      else rmSync(join(repo.root, path));
      expect((await repo.clewRun("approve")).code).toBe(0);
      expect(repo.text("new.txt")).toBe("new\n");
    });
  }

  test("G12 a target that is being rebased, or bisected, waits; afterwards it lands", async () => {
    using repo = await waiting();
    const side = join(repo.root, "side");
    repo.git("worktree", "add", "-q", "-b", "side", side, "main~1");
    repo.put("kept.txt", "side\n", side);
    repo.at(side, "add", "kept.txt");
    repo.at(side, "commit", "-q", "-m", "side");
    expect(() => repo.git("-c", "rebase.autoStash=true", "rebase", "side")).toThrow(/rebase/);
    const refused = await repo.clewRun("approve");
    expect(refused).toMatchObject({ code: 4, stdout: expect.stringContaining("rebase") as string });
    repo.git("rebase", "--abort");
    repo.git("bisect", "start");
    expect(await repo.clewRun("approve")).toMatchObject({
      code: 4,
      stdout: expect.stringContaining("bisect") as string,
    });
    repo.git("bisect", "reset");
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("new.txt")).toBe("new\n");
  });

  test("G12 while another branch is checked out, the target moves and no file does", async () => {
    using repo = await waiting();
    repo.git("checkout", "-q", "-b", "other");
    repo.put("new.txt", "mine\n");
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("new.txt")).toBe("mine\n");
    expect(repo.git("show", "main:new.txt")).toBe("new\n");
    expect(repo.git("branch", "--show-current")).toBe("other\n");
  });

  test("G12 a target that is checked out in another worktree lands there", async () => {
    using repo = await waiting();
    repo.git("checkout", "-q", "--detach");
    const elsewhere = join(repo.root, "elsewhere");
    repo.git("worktree", "add", "-q", elsewhere, "main");
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect([repo.text("new.txt", elsewhere), repo.text("new.txt")]).toEqual(["new\n", undefined]);
    expect(repo.at(elsewhere, "status", "--short")).toBe("");
  });

  test("G12 with a detached HEAD a target has to be named, and it is what the work starts from", async () => {
    using repo = new MergeRepo(addFile);
    repo.git("branch", "release", "HEAD~1");
    repo.git("checkout", "-q", "--detach");
    const refused = await repo.clewRun("start");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--target") as string });
    expect((await repo.clewRun("start", ["--target", "none"])).code).toBe(2);
    expect((await repo.clewRun("start", ["--target", "release"])).code).toBe(4);
    expect(existsSync(join(repo.worktree, "kept.txt"))).toBe(false);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.git("show", "release:new.txt")).toBe("new\n");
    expect(repo.commits("main")[0]).toBe("files");
  });

  test("G12 submodules, CRLF and renames come through", async () => {
    using repo = new MergeRepo("git mv kept.txt moved.txt; printf 'a\\r\\nb\\r\\n' > dos.txt");
    using other = new MergeRepo("true");
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other.root, "module");
    repo.put(".gitattributes", "*.txt text eol=crlf\n");
    repo.git("add", "--all");
    repo.git("commit", "-q", "-m", "module");
    expect((await repo.clewRun("start")).code).toBe(4);
    expect(await repo.clew("run", "diff", "proj-1", "--stat")).toContain("R kept.txt → moved.txt");
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect([repo.text("kept.txt"), repo.text("dos.txt")]).toEqual([undefined, "a\r\nb\r\n"]);
    expect(repo.git("cat-file", "-p", "main:dos.txt")).toBe("a\nb\n");
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe("");
    expect(existsSync(join(repo.root, "module/kept.txt"))).toBe(true);
    expect(existsSync(repo.worktree)).toBe(false);
  });
});

const statusOf = (repo: MergeRepo): string => repo.git("status", "--short", "--", ":!.beads", ":!.clew");

describe("G12 a landing that something comes between", () => {
  test("G17 a cancel comes too late for what is being landed: the run completes", async () => {
    using repo = await waiting();
    const { ended } = await landingHeld(repo);
    const { journal } = await showRun(repo);
    const cancel = repo.clewRun("cancel");
    await until(() => readFileSync(journal, "utf8").includes('"kind":"cancel"'));
    rmSync(join(repo.root, "hold"));
    expect((await ended).code).toBe(0);
    expect((await cancel).code).toBe(1);
    expect([repo.text("new.txt"), await repo.beadStatus()]).toEqual(["new\n", "closed"]);
    expect(statusOf(repo)).toBe("");
  });

  test("G17 a cancel after a landing was cut off takes back what it left", async () => {
    using repo = await waiting();
    const { child, ended } = await landingHeld(repo);
    expect(statusOf(repo)).not.toBe("");
    for (const pid of treeOf(child.pid!)) endNow(pid);
    await ended;
    rmSync(join(repo.root, ".git/hooks/reference-transaction"));
    expect((await repo.clewRun("cancel")).code).toBe(0);
    expect(statusOf(repo)).toBe("");
    expect([repo.text("new.txt"), await repo.beadStatus()]).toEqual([undefined, "open"]);
  });

  for (const what of ["somebody's git is at work there", "the run's worktree is gone"] as const) {
    test(`G12 half of a landing is not forgotten when ${what}`, async () => {
      using repo = await waiting();
      const { child, ended } = await landingHeld(repo);
      for (const pid of treeOf(child.pid!)) endNow(pid);
      await ended;
      rmSync(join(repo.root, ".git/hooks/reference-transaction"));
      if (what === "the run's worktree is gone") {
        rmSync(repo.worktree, { recursive: true });
        expect((await repo.clewRun("resume")).code).toBe(3);
        expect(statusOf(repo)).toBe("");
        return;
      }
      const git = spawn("git", ["cat-file", "--batch"], { cwd: repo.root });
      const refused = await repo.clewRun("resume");
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`process ${git.pid}`) as string });
      expect((await showRun(repo)).status).toBe("interrupted");
      git.kill();
      expect((await repo.clewRun("approve")).code).toBe(0);
      expect([statusOf(repo), repo.text("new.txt")]).toEqual(["", "new\n"]);
    });
  }

  test("G12 a hook that refuses the landing leaves everything as it was, and the run waits", async () => {
    using repo = await waiting();
    holdLanding(repo);
    rmSync(join(repo.root, "hold"));
    repo.put("refuse", "");
    expect((await repo.clewRun("approve")).code).toBe(4);
    expect(statusOf(repo)).toBe("");
    rmSync(join(repo.root, "refuse"));
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.commits().filter((subject) => subject.startsWith("Merge proj-1"))).toHaveLength(1);
  });

  test("G12 what a person made of a half-written file is kept when it is put back", async () => {
    using repo = await waiting();
    const { child, ended } = await landingHeld(repo);
    for (const pid of treeOf(child.pid!)) endNow(pid);
    await ended;
    rmSync(join(repo.root, ".git/hooks/reference-transaction"));
    repo.put("shared.txt", "one\n");
    const { stdout } = await repo.clewRun("resume");
    const copy = /what stood there is in (\S.*)$/m.exec(stdout)?.[1];
    expect(readFileSync(copy!, "utf8")).toBe("one\n");
    expect(repo.text("shared.txt")).toBe("one\ntwo\nthree\nfour\n");
  });

  test("G12 commits are signed where that is configured, and a signer that fails blocks", async () => {
    using repo = new MergeRepo(addFile);
    // Git hands it the commit and takes what it prints for the signature.
    const signer = join(repo.root, ".git/signer");
    const signs = `#!/bin/sh
[ -e "${repo.root}/.git/key" ] || exit 1
echo "[GNUPG:] SIG_CREATED D 22 8 00 1 0" >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\n%s\\n-----END PGP SIGNATURE-----\\n' "$(cksum)"
`;
    writeFileSync(signer, signs, { mode: 0o755 });
    repo.git("config", "gpg.program", signer);
    repo.git("config", "commit.gpgSign", "true");
    expect((await repo.clewRun("start")).code).toBe(3);
    repo.put(".git/key", "");
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
    for (const commit of ["main", "main^2"]) expect(repo.git("cat-file", "commit", commit)).toContain("gpgsig ");
  });
});
