import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeRepo } from "../merge.fixture.ts";

/** The same repository after both sides have gone their way. */
function diverged(
  base: Record<string, string>,
  ours: Record<string, string>,
  theirs: Record<string, string>,
): MergeRepo {
  const repo = new MergeRepo({ files: base });
  repo.write(repo.worktree, ours);
  repo.write(repo.main, theirs);
  repo.commit(repo.main, "theirs", "--allow-empty");
  return repo;
}

describe("G12 a conflict", () => {
  test("G12 is set up in the worktree, told with its hunks, solved by editing, and landed", async () => {
    using repo = diverged(
      { "a.txt": "1\n2\n3\n", "b.txt": "b\n" },
      { "a.txt": "1\nours\n3\n", "new.txt": "n\n" },
      { "a.txt": "1\ntheirs\n3\n", "b.txt": "B\n" },
    );
    const before = repo.work();
    const first = await repo.prepare();
    expect(first).toMatchObject({ kind: "conflict", files: ["a.txt"] });
    expect(first).toMatchObject({
      markers: expect.stringMatching(/^a\.txt:2\n1\n<<<<<<< .*\nours\n=======\ntheirs\n>>>>>>> .*\n3\n/),
    });
    expect(existsSync(join(repo.inWorktree("rev-parse", "--absolute-git-dir"), "MERGE_HEAD"))).toBe(true);

    const unsolved = repo.work(repo.worktree);
    expect(await repo.prepare()).toEqual(first);
    repo.inWorktree("add", "a.txt");
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["a.txt"] });
    expect(repo.work(repo.worktree).files).toEqual(unsolved.files);

    repo.write(repo.worktree, { "a.txt": "1\nboth\n3\n" });
    const offer = await repo.offer();
    expect(repo.inWorktree("log", "-1", "--format=%P")).toMatch(new RegExp(`${offer.target_head}$`));
    expect(repo.work()).toEqual(before);
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toEqual({
      files: { "a.txt": "file 1\nboth\n3\n", "b.txt": "file B\n", "new.txt": "file n\n" },
      staged: "",
      status: [],
    });
  });

  test("G12 between files that both added is solved by editing alone", async () => {
    using repo = diverged({}, { "n.txt": "ours\n" }, { "n.txt": "theirs\n" });
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["n.txt"] });
    repo.write(repo.worktree, { "n.txt": "both\n" });
    expect((await repo.offer()).files).toMatchObject([{ path: "n.txt", change: "modified" }]);
  });

  test.each(["kept", "removed"])("G12 with a deletion stays until a person has %s the file", async (way) => {
    using repo = diverged({ "a.txt": "1\n", "b.txt": "1\n" }, { "b.txt": "ours\n" }, { "a.txt": "theirs\n" });
    rmSync(join(repo.worktree, "a.txt"));
    repo.inMain("rm", "-q", "b.txt");
    repo.commit(repo.main, "without b");
    const first = await repo.prepare();
    expect(first).toMatchObject({ kind: "conflict", files: ["a.txt", "b.txt"] });
    expect(first).toMatchObject({
      markers: expect.stringContaining("a.txt: deleted on this branch, changed on the target"),
    });
    expect(first).toMatchObject({
      markers: expect.stringContaining("b.txt: changed on this branch, deleted on the target"),
    });
    expect(await repo.prepare()).toEqual(first);
    const answer = way === "kept" ? ["add"] : ["rm", "-q"];
    repo.inWorktree(...answer, "a.txt");
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["b.txt"] });
    repo.inWorktree(...answer, "b.txt");
    const { files } = await repo.offer();
    expect(files.map(({ path, change }) => `${change} ${path}`)).toEqual(
      way === "kept" ? ["added b.txt"] : ["deleted a.txt"],
    );
  });

  test("G12 between files that are not text is decided by git add, not by silence", async () => {
    using repo = diverged({ bin: "\0base" }, { bin: "\0ours" }, { bin: "\0theirs" });
    const first = await repo.prepare();
    expect(first).toMatchObject({ kind: "conflict", files: ["bin"], markers: expect.stringContaining("git add") });
    expect(await repo.prepare()).toEqual(first);
    repo.inWorktree("checkout", "-q", "--ours", "bin");
    repo.inWorktree("add", "bin");
    expect((await repo.offer()).files).toMatchObject([{ path: "bin" }]);
  });

  test("G12 in text that the repository does not let git merge needs git add too", async () => {
    const attributes = { ".gitattributes": "*.lock -merge\n" };
    using repo = diverged({ "a.lock": "1\n", ...attributes }, { "a.lock": "ours\n" }, { "a.lock": "theirs\n" });
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["a.lock"] });
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["a.lock"] });
    repo.inWorktree("add", "a.lock");
    expect((await repo.offer()).files).toMatchObject([{ path: "a.lock" }]);
  });

  test("G12 of two renames is reported until both names are settled", async () => {
    const text = "line\n".repeat(20);
    using repo = diverged({ old: text }, {}, {});
    repo.inWorktree("mv", "old", "ours");
    repo.inMain("mv", "old", "theirs");
    repo.commit(repo.main, "renamed");
    const prepared = await repo.prepare();
    expect(prepared).toMatchObject({ kind: "conflict", files: ["old", "ours", "theirs"] });
    repo.inWorktree("rm", "-q", "--cached", "old");
    repo.inWorktree("rm", "-q", "theirs");
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["ours"] });
    repo.inWorktree("add", "ours");
    expect((await repo.offer()).files).toMatchObject([{ path: "ours", from: "theirs" }]);
  });

  test("G12 that only the settings of git merge can solve is none", async () => {
    using repo = diverged({ "a.txt": "1\n" }, { "a.txt": "ours\n" }, { "a.txt": "theirs\n" });
    repo.inMain("config", "rerere.enabled", "true");
    expect(await repo.prepare()).toMatchObject({ kind: "conflict" });
    repo.write(repo.worktree, { "a.txt": "both\n" });
    await repo.offer();
    // The same conflict once more: git knows the answer that a person gave.
    repo.inWorktree("reset", "-q", "--hard", "HEAD~1");
    const again = await repo.offer();
    expect(repo.inMain("cat-file", "blob", `${again.commit}:a.txt`)).toBe("both");
  });

  test("G12 left by something else than a merge is reported until it is added", async () => {
    using repo = new MergeRepo();
    repo.write(repo.worktree, { "a.txt": "stashed\n" });
    repo.inWorktree("stash", "-q");
    repo.write(repo.worktree, { "a.txt": "committed\n" });
    repo.commit(repo.worktree, "by a step");
    expect(() => repo.inWorktree("stash", "pop", "-q")).toThrow(/stash pop/);
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["a.txt"] });
    repo.write(repo.worktree, { "a.txt": "both\n" });
    expect(await repo.prepare()).toMatchObject({ kind: "conflict", files: ["a.txt"] });
    repo.inWorktree("add", "a.txt");
    expect((await repo.offer()).files).toHaveLength(1);
  });

  test("G12 is not set up over a copied file; git's words say why", async () => {
    using repo = diverged({ "a.txt": "1\n" }, { "a.txt": "ours\n" }, { "a.txt": "theirs\n", ".env": "tracked now\n" });
    repo.place = { ...repo.place, copied: [".env"] };
    repo.write(repo.worktree, { ".env": "mine\n" });
    expect(await repo.prepare()).toMatchObject({ kind: "refused", output: expect.stringContaining(".env") });
    expect(repo.work(repo.worktree).files).toMatchObject({ ".env": "file mine\n", "a.txt": "file ours\n" });
  });
});
