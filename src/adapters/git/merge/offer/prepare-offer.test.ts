import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { maxDiffBytes, offeredDiff } from "./diff.ts";
import { MergeRepo } from "../merge.fixture.ts";
import { forgetOffer } from "./offer-ref.ts";

describe("G12 what steps left uncommitted", () => {
  test("G12 is committed in the worktree, of every kind and name, and offered", async () => {
    using repo = new MergeRepo({
      files: { "a.txt": "1\n2\n3\n", gone: "x\n", "was here": "same\nsame\nsame\n", run: "" },
    });
    const { worktree } = repo;
    const before = repo.work();
    repo.write(worktree, { "a.txt": "1\ntwo\n3\n", "-dash": "1\n", " sp ace\nline": "1\n", "ä/*": "1\n", bin: "a\0b" });
    repo.inWorktree("add", "-dash".replace("-", "./-"));
    rmSync(join(worktree, "gone"));
    renameSync(join(worktree, "was here"), join(worktree, "is there"));
    chmodSync(join(worktree, "run"), 0o755);
    symlinkSync("a.txt", join(worktree, "link"));
    writeFileSync(Buffer.concat([Buffer.from(`${worktree}/`), Buffer.from([0x6f, 0xff])]), "odd\n");

    const offer = await repo.offer();
    expect(offer.files).toEqual([
      { path: " sp ace\nline", change: "added", added: 1, deleted: 0 },
      { path: "-dash", change: "added", added: 1, deleted: 0 },
      { path: "a.txt", change: "modified", added: 1, deleted: 1 },
      { path: "bin", change: "added", added: null, deleted: null },
      { path: "gone", change: "deleted", added: 0, deleted: 1 },
      { path: "is there", from: "was here", change: "renamed", added: 0, deleted: 0 },
      { path: "link", change: "added", added: 1, deleted: 0 },
      { path: "o\ufffd", change: "added", added: 1, deleted: 0 },
      { path: "run", change: "modified", added: 0, deleted: 0 },
      { path: "ä/*", change: "added", added: 1, deleted: 0 },
    ]);
    expect(offer).toMatchObject({ totals: { files: 10, added: 6, deleted: 2 }, flagged: [], target: "main" });
    expect(repo.inWorktree("status", "--porcelain")).toBe("");
    expect(repo.inWorktree("log", "-1", "--format=%s %an")).toBe("what the steps left Someone");
    expect(repo.inMain("log", "-1", "--format=%s|%P|%T", offer.commit)).toBe(
      `Merge p-1: a title|${offer.target_head} ${offer.head}|${offer.tree}`,
    );
    expect(repo.head("refs/clew/offers/2026-11-16-p-1")).toBe(offer.commit);
    expect(repo.work()).toEqual(before);
    await forgetOffer(repo.git, repo.place);
    expect(repo.inMain("for-each-ref", "refs/clew")).toBe("");
  });

  test("G12 leaves out copied files, also when their names are patterns, and takes them back when a step staged them", async () => {
    using repo = new MergeRepo({ files: { "a.txt": "1\n", "tracked.env": "theirs\n" } });
    const copied = [".env", "*", ":(top)x", "conf", "tracked.env", "staged.env", "-n"];
    repo.place = { ...repo.place, copied };
    repo.write(repo.worktree, { ".env": "s\n", "*": "s\n", ":(top)x": "s\n", "conf/deep/file": "s\n", "-n": "s\n" });
    repo.write(repo.worktree, { "tracked.env": "mine\n", "staged.env": "s\n", "b.txt": "b\n" });
    repo.inWorktree("add", "--", "staged.env", "tracked.env");
    const offer = await repo.offer();
    expect(offer.files.map(({ path }) => path)).toEqual(["b.txt"]);
    expect(repo.work(repo.worktree).files).toMatchObject({ ".env": "file s\n", "tracked.env": "file mine\n" });
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
  });

  test("G12 needs no commit when there is nothing", async () => {
    using repo = new MergeRepo();
    expect(await repo.prepare()).toEqual({ kind: "nothing" });
    repo.write(repo.worktree, { "b.txt": "b\n" });
    const head = repo.commit(repo.worktree, "by a step");
    expect((await repo.offer()).head).toBe(head);
  });

  test("G12 that a branch brings nothing new is told, also when it got there by itself", async () => {
    using repo = new MergeRepo();
    for (const folder of [repo.main, repo.worktree]) {
      repo.write(folder, { "b.txt": "b\n" });
      repo.commit(folder, "the same");
    }
    expect(await repo.prepare()).toEqual({ kind: "nothing" });
  });

  test.each(["pre-commit", "commit-msg", "prepare-commit-msg"])("G12 is refused by a failing %s hook", async (hook) => {
    using repo = new MergeRepo();
    repo.hook(hook, "echo no such luck; echo really >&2; exit 1");
    repo.write(repo.worktree, { "a.txt": "mine\n", "b.txt": "b\n" });
    const { files } = repo.work(repo.worktree);
    const head = repo.head(repo.place.branch);
    const prepared = await repo.prepare();
    expect(prepared).toMatchObject({ kind: "refused", message: expect.stringContaining("git commit failed") });
    expect(prepared).toMatchObject({ output: expect.stringMatching(/no such luck[^]*really/) });
    expect(repo.head(repo.place.branch)).toBe(head);
    expect(repo.work(repo.worktree).files).toEqual(files);
    rmSync(join(repo.place.commonDir, "hooks", hook));
    expect((await repo.offer()).files).toHaveLength(2);
  });

  test("G12 takes in what a hook changes, unless that never ends", async () => {
    using repo = new MergeRepo();
    repo.hook("pre-commit", "[ -e formatted ] || echo 1 > formatted");
    repo.write(repo.worktree, { "b.txt": "b\n" });
    expect((await repo.offer()).files.map(({ path }) => path)).toEqual(["b.txt", "formatted"]);
    repo.hook("pre-commit", "echo 1 >> formatted");
    repo.write(repo.worktree, { "c.txt": "c\n" });
    expect(await repo.prepare()).toMatchObject({ kind: "refused", message: expect.stringContaining("hooks") });
  });

  test("G12 is not committed with conflict markers that it did not have", async () => {
    using repo = new MergeRepo({ files: { "about.md": "<<<<<<< old\n=======\n>>>>>>> new\n" } });
    const marked = "x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n";
    repo.write(repo.worktree, {
      "title.md": "Title\n=======\n",
      bin: `\0${marked}`,
      "about.md": `${marked}<<<<<<< more\n`,
    });
    await repo.offer();
    repo.write(repo.worktree, { "sub/b.txt": marked, "crlf.txt": marked.replaceAll("\n", "\r\n") });
    const { files } = repo.work(repo.worktree);
    const prepared = await repo.prepare();
    expect(prepared).toMatchObject({ kind: "refused", message: expect.stringMatching(/crlf\.txt, sub\/b\.txt/) });
    expect(repo.work(repo.worktree).files).toEqual(files);
  });

  test("G12 needs a name to be committed by", async () => {
    using repo = new MergeRepo();
    repo.write(repo.worktree, { "b.txt": "b\n" });
    repo.inMain("config", "--global", "--unset", "user.email");
    repo.inMain("config", "--global", "user.useConfigOnly", "true");
    expect(await repo.prepare()).toMatchObject({ kind: "refused", message: expect.stringContaining("user.email") });
  });

  test("G12 is refused where git is in the middle of something, or on another branch", async () => {
    using repo = new MergeRepo();
    const { worktree, place } = repo;
    repo.write(worktree, { "a.txt": "mine\n" });
    repo.commit(worktree, "mine");
    repo.write(repo.main, { "a.txt": "theirs\n" });
    repo.commit(repo.main, "theirs");
    const refusal = async (words: string): Promise<void> => {
      const { files } = repo.work(worktree);
      expect(await repo.prepare()).toMatchObject({ kind: "refused", message: expect.stringContaining(words) });
      expect(repo.work(worktree).files).toEqual(files);
    };
    expect(() => repo.inWorktree("rebase", "main")).toThrow(/conflict/i);
    await refusal("a rebase is not finished");
    repo.inWorktree("rebase", "--abort");
    expect(() => repo.inWorktree("cherry-pick", "main")).toThrow(/conflict/i);
    await refusal("a cherry-pick is not finished");
    repo.inWorktree("cherry-pick", "--abort");
    repo.inWorktree("checkout", "-q", "--detach");
    await refusal(`git switch ${place.branch}`);
    repo.inWorktree("checkout", "-q", "-b", "elsewhere");
    await refusal("elsewhere checked out instead of");
  });

  test("G12 is refused when the target is gone, or shares no history", async () => {
    using repo = new MergeRepo();
    repo.write(repo.worktree, { "b.txt": "b\n" });
    repo.place = { ...repo.place, target: "nowhere" };
    expect(await repo.prepare()).toMatchObject({ kind: "refused", message: expect.stringContaining("nowhere") });
    repo.inMain("branch", "nowhere", repo.inMain("commit-tree", "-m", "alone", "HEAD^{tree}"));
    expect(await repo.prepare()).toMatchObject({ kind: "refused", message: expect.stringContaining("moved back") });
  });

  test("G12 is committed though a killed step left its locks", async () => {
    using repo = new MergeRepo();
    repo.write(repo.worktree, { "b.txt": "b\n" });
    writeFileSync(join(repo.inWorktree("rev-parse", "--absolute-git-dir"), "index.lock"), "");
    expect((await repo.offer()).files).toHaveLength(1);
  });

  test("G12 has no deleted submodules, when they are not checked out in the worktree", async () => {
    using repo = new MergeRepo();
    const other = join(repo.base, "other");
    mkdirSync(other);
    repo.at(other, "init", "-q");
    repo.write(other, { "in-sub": "1\n" });
    repo.commit(other, "sub");
    repo.inMain("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    repo.commit(repo.main, "with a submodule");
    repo.inWorktree("merge", "-q", "--ff-only", "main");
    repo.write(repo.worktree, { "b.txt": "b\n" });
    const offer = await repo.offer();
    expect(offer.files.map(({ path }) => path)).toEqual(["b.txt"]);
    // The person's own checkout of the submodule has work in it, which is none of the merge's business.
    repo.write(repo.main, { "sub/in-sub": "edited\n", "sub/new": "1\n" });
    const before = repo.work();
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toEqual({ ...before, files: { ...before.files, "b.txt": "file b\n" } });
  });

  test("G12 has no repository in it that a step cloned, unless it is a submodule", async () => {
    using repo = new MergeRepo();
    const cloned = join(repo.worktree, "cloned");
    mkdirSync(cloned);
    repo.at(cloned, "init", "-q");
    repo.commit(cloned, "its own", "--allow-empty");
    expect(await repo.prepare()).toMatchObject({ kind: "refused", message: expect.stringContaining("cloned") });
    expect(existsSync(join(cloned, ".git"))).toBe(true);
    repo.write(repo.worktree, { ".gitmodules": '[submodule "c"]\n\tpath = cloned\n\turl = ../cloned\n' });
    const offer = await repo.offer();
    expect(offer.files.map(({ path }) => path)).toEqual([".gitmodules", "cloned"]);
    const before = repo.work();
    repo.hook("reference-transaction", 'grep -q refs/heads/main && [ "$1" = prepared ] && exit 1; exit 0');
    expect(await repo.land(offer)).toMatchObject({ kind: "waits" });
    expect(repo.work()).toEqual(before);
    expect(existsSync(join(repo.main, "cloned"))).toBe(false);
    rmSync(join(repo.place.commonDir, "hooks/reference-transaction"));
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work().status).toEqual([]);
  });

  test.each([
    ["core.autocrlf", {}],
    ["eol", { ".gitattributes": "*.txt text eol=crlf\n" }],
  ])("G12 keeps line ends as %s has them", async (setting, more) => {
    using repo = new MergeRepo({ files: { "a.txt": "1\n2\n3\n", ...more } });
    if (setting === "core.autocrlf") repo.inMain("config", "core.autocrlf", "true");
    repo.write(repo.worktree, { "a.txt": "1\r\ntwo\r\n3\r\n", "b.txt": "b\r\n" });
    const offer = await repo.offer();
    expect(offer.totals).toEqual({ files: 2, added: 2, deleted: 1 });
    expect(repo.inMain("cat-file", "blob", `${offer.commit}:a.txt`)).toBe("1\ntwo\n3");
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toMatchObject({
      files: { "a.txt": "file 1\r\ntwo\r\n3\r\n", "b.txt": "file b\r\n" },
      status: [],
    });
  });
});

describe("G12 an offer", () => {
  test("G12 flags what steers Clew itself, on either side of a rename", async () => {
    using repo = new MergeRepo({ files: { ".clew/spells/a.md": "text\ntext\ntext\n", ".clewless": "1\n" } });
    renameSync(join(repo.worktree, ".clew/spells/a.md"), join(repo.worktree, "moved.md"));
    repo.write(repo.worktree, { ".beads/issues.jsonl": "{}\n", ".clewless": "2\n", "sub/.clew/x": "1\n" });
    expect((await repo.offer()).flagged).toEqual([".beads/issues.jsonl", ".clew/spells/a.md"]);
  });

  test("G12 follows a file that one side renamed and the other edited", async () => {
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join("");
    using repo = new MergeRepo({ files: { "old name": text } });
    repo.inWorktree("mv", "old name", "new name");
    repo.write(repo.main, { "old name": text.replace("line 3\n", "line three\n") });
    repo.commit(repo.main, "edited");
    const offer = await repo.offer();
    expect(offer.files).toEqual([{ path: "new name", from: "old name", change: "renamed", added: 0, deleted: 0 }]);
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work().files).toEqual({ "new name": `file ${text.replace("line 3\n", "line three\n")}` });
  });

  test("G12 lists at most so many files, and counts all", async () => {
    using repo = new MergeRepo();
    repo.write(repo.worktree, Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/${at}`, "1\n"])));
    const { files, totals } = await repo.offer();
    expect(files).toHaveLength(500);
    expect(totals).toEqual({ files: 600, added: 600, deleted: 0 });
  });

  test("G12 shows the full diff, whatever the branch's attributes say; for a journal it is cut at a line", async () => {
    using repo = new MergeRepo();
    const long = `${"0123456789".repeat(10)}\n`.repeat(12_000);
    repo.write(repo.worktree, { ".gitattributes": "* -diff\n", "a.txt": "1\n2\nthree\n", long });
    repo.write(repo.worktree, { "*": "star\n" });
    const prepared = await repo.prepare();
    if (prepared.kind !== "offer") throw new Error("no offer");
    const { offer, diff } = prepared;
    const whole = await offeredDiff(repo.git, repo.place, offer);
    expect(whole.toString()).toContain("-3\n+three\n");
    expect(whole.length).toBeGreaterThan(12_000 * 101);
    expect(diff.length).toBeLessThan(maxDiffBytes + 100);
    expect(diff).toMatch(/\n\[cut here: the diff is longer than 1048576 bytes\]\n$/);
    expect(whole.toString().startsWith(diff.slice(0, diff.indexOf("[cut here")))).toBe(true);
    const star = await offeredDiff(repo.git, repo.place, offer, ["*"]);
    expect(star.toString()).toContain("+star");
    expect(star.toString()).not.toContain("three");
  });

  // Not every machine has it; through the front door, a program of the test's own signs.
  const canSign = spawnSync("sh", ["-c", "command -v ssh-keygen"]).status === 0;

  test.skipIf(!canSign)("G12 is signed, as is what steps left, if commits are", async () => {
    using repo = new MergeRepo();
    const key = join(repo.base, "key");
    execFileSync("sh", ["-c", `ssh-keygen -q -t ed25519 -N "" -C someone@example.com -f "$0"`, key]);
    const signers = join(repo.base, "signers");
    writeFileSync(signers, execFileSync("sh", ["-c", `printf 'someone@example.com '; cat "$0.pub"`, key]));
    const settings = {
      "gpg.format": "ssh",
      "user.signingKey": key,
      "commit.gpgSign": "yes",
      "gpg.ssh.allowedSignersFile": signers,
    };
    for (const [name, value] of Object.entries(settings)) repo.inMain("config", name, value);
    repo.write(repo.worktree, { "b.txt": "b\n" });
    const offer = await repo.offer();
    expect(repo.inMain("log", "-1", "--format=%G?", offer.commit)).toBe("G");
    expect(repo.inMain("log", "-1", "--format=%G?", offer.head)).toBe("G");
    repo.inMain("config", "user.signingKey", join(repo.base, "no-such-key"));
    repo.write(repo.worktree, { "c.txt": "c\n" });
    expect(await repo.prepare()).toMatchObject({ kind: "refused", output: expect.stringContaining("no-such-key") });
    expect(existsSync(join(repo.worktree, "c.txt"))).toBe(true);
  });
});
