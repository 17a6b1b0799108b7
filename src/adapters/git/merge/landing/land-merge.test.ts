import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import { landMerge } from "./land-merge.ts";
import { MergeRepo } from "../merge.fixture.ts";

const base = { "a.txt": "1\n2\n3\n", "b.txt": "b\n", "gone.txt": "g\n", "sub/c.txt": "c\n", ".gitignore": "*.log\n" };

/** A repository with an offer that changes, deletes and adds files. */
async function offered(target = "main"): Promise<{ repo: MergeRepo; offer: MergeOffer }> {
  const repo = new MergeRepo({ files: base, target });
  repo.write(repo.worktree, { "a.txt": "1\ntwo\n3\n", "new/d.txt": "d\n", "out.log": "ignored, so left\n" });
  repo.write(repo.worktree, { "sub/forced.log": "f\n" });
  repo.inWorktree("add", "--force", "sub/forced.log");
  rmSync(join(repo.worktree, "gone.txt"));
  return { repo, offer: await repo.offer() };
}

const merged = {
  "a.txt": "file 1\ntwo\n3\n",
  "b.txt": "file b\n",
  "new/d.txt": "file d\n",
  "sub/c.txt": "file c\n",
  "sub/forced.log": "file f\n",
  ".gitignore": "file *.log\n",
};

describe("G12 landing where the target is checked out", () => {
  test("G12 keeps all unrelated work there, byte for byte", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.write(repo.main, { "b.txt": "staged\n", staged: "s\n" });
    repo.inMain("add", "b.txt", "staged");
    repo.write(repo.main, { "b.txt": "unstaged\n", untracked: "u\n", "new/other": "u\n", "my.log": "i\n" });
    repo.inMain("rm", "-q", "--cached", "sub/c.txt");
    const before = repo.work();
    expect(await repo.land(offer)).toEqual({ kind: "landed", commit: offer.commit, announced: [offer.target_head] });
    const after = repo.work();
    expect(repo.head("main")).toBe(offer.commit);
    expect(after).toEqual({
      files: {
        ...merged,
        "b.txt": "file unstaged\n",
        staged: "file s\n",
        untracked: "file u\n",
        "new/other": "file u\n",
        "my.log": "file i\n",
      },
      staged: before.staged,
      status: before.status,
    });
    expect(await repo.land(offer)).toEqual({ kind: "landed", commit: offer.commit, announced: [] });
    expect(repo.work()).toEqual(after);
  });

  const overlaps: [string, string[], (repo: MergeRepo) => void][] = [
    ["a staged change", ["a.txt"], (repo) => (repo.write(repo.main, { "a.txt": "w\n" }), repo.inMain("add", "a.txt"))],
    ["an unstaged change", ["a.txt"], (repo) => repo.write(repo.main, { "a.txt": "w\n" })],
    ["a change to what is deleted", ["gone.txt"], (repo) => repo.write(repo.main, { "gone.txt": "w\n" })],
    ["a deletion", ["a.txt"], (repo) => rmSync(join(repo.main, "a.txt"))],
    ["an untracked file", ["new/d.txt"], (repo) => repo.write(repo.main, { "new/d.txt": "w\n" })],
    ["an ignored file", ["sub/forced.log"], (repo) => repo.write(repo.main, { "sub/forced.log": "w\n" })],
    ["a file where a folder is needed", ["new"], (repo) => repo.write(repo.main, { new: "w\n" })],
    ["a link where a folder is needed", ["new"], (repo) => symlinkSync("sub", join(repo.main, "new"))],
    [
      "a folder where a file is needed",
      ["new/d.txt/mine"],
      (repo) => repo.write(repo.main, { "new/d.txt/mine": "w\n" }),
    ],
    ["a staged new file", ["new"], (repo) => (repo.write(repo.main, { new: "w\n" }), repo.inMain("add", "new"))],
  ];
  describe("G12 with work in the way", () => {
    let shared: Awaited<ReturnType<typeof offered>>;
    beforeAll(async () => {
      shared = await offered();
      for (const setting of ["merge.autoStash", "rebase.autoStash"]) shared.repo.inMain("config", setting, "true");
    });
    afterAll(() => shared.repo[Symbol.dispose]());
    test.each(overlaps)("G12 waits for %s, names it, and changes nothing", async (_name, files, work) => {
      const { repo, offer } = shared;
      repo.inMain("reset", "-q", "--hard");
      repo.inMain("clean", "-q", "-fdx");
      work(repo);
      const before = repo.work();
      expect(await repo.land(offer)).toMatchObject({ kind: "waits", files, announced: [] });
      expect(repo.work()).toEqual(before);
      expect(repo.head("main")).toBe(offer.target_head);
    });
  });

  test.each(["a.txt", "new/d.txt", "sub/forced.log"])(
    "G12 refuses work in %s that came at the last moment",
    async (path) => {
      const { repo: made, offer } = await offered();
      using repo = made;
      const before = repo.work();
      const onLanding = async (): Promise<void> => Promise.resolve(repo.write(repo.main, { [path]: "a person's\n" }));
      const landed = await landMerge(repo.git, repo.place, offer, { onLanding });
      expect(landed).toMatchObject({ kind: "waits", files: [path] });
      expect(repo.work().files).toEqual({ ...before.files, [path]: "file a person's\n" });
      expect(repo.head("main")).toBe(offer.target_head);
    },
  );

  test("G12 leaves a file alone that git was told not to look at", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.inMain("update-index", "--assume-unchanged", "a.txt");
    repo.write(repo.main, { "a.txt": "mine, unseen\n" });
    const before = repo.work();
    expect(await repo.land(offer)).toMatchObject({ kind: "waits", message: expect.stringContaining("a.txt") });
    expect(repo.work()).toEqual(before);
    expect(repo.head("main")).toBe(offer.target_head);
  });

  test.each(["--no-ff", "--squash"])("G12 is not shaped by mergeOptions %s", async (option) => {
    const { repo: made, offer } = await offered('odd=na.me/"x');
    using repo = made;
    repo.inMain("config", 'branch.odd=na.me/"x.mergeOptions', option);
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.head("HEAD")).toBe(offer.commit);
    expect(repo.work()).toEqual({ files: merged, staged: "", status: [] });
  });

  test("G12 a folder becomes a file, and a file a folder", async () => {
    using repo = new MergeRepo({ files: { "was-folder/x": "x\n", "was-file": "y\n" } });
    rmSync(join(repo.worktree, "was-folder"), { recursive: true });
    rmSync(join(repo.worktree, "was-file"));
    repo.write(repo.worktree, { "was-folder": "x\n", "was-file/y": "y\n" });
    const offer = await repo.offer();
    repo.write(repo.main, { "was-folder/mine": "w\n" });
    const before = repo.work();
    expect(await repo.land(offer)).toMatchObject({ kind: "waits", files: ["was-folder/mine"] });
    expect(repo.work()).toEqual(before);
    rmSync(join(repo.main, "was-folder/mine"));
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toEqual({
      files: { "was-folder": "file x\n", "was-file/y": "file y\n" },
      staged: "",
      status: [],
    });
  });

  test("G12 goes by the ref: failing hooks after it change nothing", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.hook("post-merge", "exit 1");
    repo.hook("post-checkout", "exit 1");
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toEqual({ files: merged, staged: "", status: [] });
  });

  test("G12 undoes what git began when a hook refuses the new ref", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.write(repo.main, { "b.txt": "staged\n", untracked: "u\n", "new/mine": "m\n" });
    repo.inMain("add", "b.txt");
    const before = repo.work();
    repo.hook(
      "reference-transaction",
      'grep -q refs/heads/main && [ "$1" = prepared ] && echo not on a Monday && exit 1; exit 0',
    );
    const landed = await repo.land(offer);
    expect(landed).toMatchObject({ kind: "waits", message: expect.stringContaining("not on a Monday"), files: [] });
    expect(repo.work()).toEqual(before);
    expect(repo.head("main")).toBe(offer.target_head);
    rmSync(join(repo.place.commonDir, "hooks/reference-transaction"));
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toMatchObject({ staged: before.staged, status: before.status });
  });

  test("G12 waits for an unfinished merge, unsolved conflicts, and a git at work", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    const waits = async (words: string): Promise<void> => {
      const before = repo.work();
      expect(await repo.land(offer)).toMatchObject({
        kind: "waits",
        message: expect.stringContaining(words),
        announced: [],
      });
      expect(repo.work()).toEqual(before);
    };
    writeFileSync(join(repo.place.commonDir, "index.lock"), "");
    await waits("index.lock");
    rmSync(join(repo.place.commonDir, "index.lock"));
    const other = repo.inMain("commit-tree", "-m", "other", "-p", "HEAD", "HEAD^{tree}");
    repo.inMain("merge", "-q", "--no-ff", "--no-commit", other);
    await waits("a merge is not finished");
    repo.inMain("merge", "--abort");
    repo.write(repo.main, { "b.txt": "stashed\n" });
    repo.inMain("stash", "-q");
    repo.write(repo.main, { "b.txt": "staged\n" });
    repo.inMain("add", "b.txt");
    const blob = repo.inMain("rev-parse", ":b.txt");
    repo.inMain("update-index", "--force-remove", "b.txt");
    const stdin = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tb.txt\n`).join("");
    await repo.git.plain(repo.main, ["update-index", "--index-info"], { stdin });
    await waits("b.txt");
  });
});

describe("G12 landing where the target is not checked out", () => {
  test.each([
    ["another branch is", ["checkout", "-q", "-b", "feature"]],
    ["HEAD is detached", ["checkout", "-q", "--detach"]],
  ])("G12 moves the ref alone when %s", async (_name, command) => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.inMain(...command);
    repo.write(repo.main, { "a.txt": "w\n", "new/d.txt": "w\n" });
    repo.inMain("add", "a.txt");
    const before = repo.work();
    expect(await repo.land(offer)).toMatchObject({ kind: "landed", announced: [offer.target_head] });
    expect(repo.work()).toEqual(before);
    expect(repo.head("main")).toBe(offer.commit);
    expect(repo.inMain("reflog", "-1", "--format=%gs", "main")).toBe(`clew: merge ${repo.place.branch}`);
  });

  test("G12 waits when a hook refuses the new ref", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.inMain("checkout", "-q", "--detach");
    repo.hook("reference-transaction", "echo no >&2; exit 1");
    expect(await repo.land(offer)).toMatchObject({ kind: "waits", message: expect.stringContaining("no") });
    expect(repo.head("main")).toBe(offer.target_head);
  });

  test("G12 goes to another worktree that has it, until that folder is gone, and not to two at once", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.inMain("checkout", "-q", "-b", "feature");
    const [other, third] = [join(repo.base, "other\nplace"), join(repo.base, "third")];
    repo.inMain("worktree", "add", "-q", other, "main");
    repo.inMain("worktree", "add", "-q", "--force", third, "main");
    expect(await repo.land(offer)).toMatchObject({ kind: "waits", message: expect.stringContaining("twice") });
    rmSync(third, { recursive: true });
    repo.write(other, { "a.txt": "w\n" });
    expect(await repo.land(offer)).toMatchObject({ kind: "waits", files: ["a.txt"] });
    repo.at(other, "checkout", "-q", "a.txt");
    const before = repo.work();
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
    expect(repo.work(other)).toEqual({ files: merged, staged: "", status: [] });
    expect(repo.work()).toEqual(before);
  });
});

describe("G12 a target that something else holds", () => {
  test.each(["main", "elsewhere"])("G12 waits while it is rebased in %s", async (where) => {
    const { repo: made, offer } = await offered();
    using repo = made;
    const folder = where === "main" ? repo.main : join(repo.base, where);
    if (where !== "main") {
      repo.inMain("checkout", "-q", "--detach");
      repo.inMain("worktree", "add", "-q", folder, "main");
    }
    repo.env["GIT_SEQUENCE_EDITOR"] = "printf 'break\\n' >";
    repo.at(folder, "rebase", "-q", "-i", "--root");
    const before = repo.work(folder);
    expect(await repo.land(offer)).toMatchObject({
      kind: "waits",
      message: expect.stringContaining("rebased"),
      announced: [],
    });
    expect(repo.work(folder)).toEqual(before);
    repo.at(folder, "rebase", "--abort");
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
  });

  test("G12 waits while it is bisected", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    repo.inMain("bisect", "start");
    expect(await repo.land(offer)).toMatchObject({
      kind: "waits",
      message: expect.stringContaining("bisect"),
      announced: [],
    });
    repo.inMain("bisect", "reset");
    expect(await repo.land(offer)).toMatchObject({ kind: "landed" });
  });
});

describe("G12 an approval", () => {
  const moves: [string, (repo: MergeRepo, offer: MergeOffer) => unknown][] = [
    ["the target moved", (repo) => repo.commit(repo.main, "more", "--allow-empty")],
    ["the branch moved", (repo) => repo.commit(repo.worktree, "more", "--allow-empty")],
    ["the worktree changed", (repo) => repo.write(repo.worktree, { "a.txt": "later\n" })],
    ["the worktree is on another branch", (repo) => repo.inWorktree("checkout", "-q", "--detach")],
    ["a file was added", (repo) => repo.write(repo.worktree, { "deep/er": "later\n" })],
    ["the commit is another's", (_repo, offer) => (offer.tree = offer.head)],
    ["the worktree is gone", (repo) => rmSync(repo.worktree, { recursive: true })],
  ];
  test.each(moves)("G12 does not hold when %s", async (_name, move) => {
    const { repo: made, offer } = await offered();
    using repo = made;
    move(repo, offer);
    const before = { work: repo.work(), head: repo.head("main") };
    expect(await repo.land(offer)).toMatchObject({ kind: "moved", announced: [] });
    expect({ work: repo.work(), head: repo.head("main") }).toEqual(before);
  });

  test("G12 that was landed is landed, whatever came after", async () => {
    const { repo: made, offer } = await offered();
    using repo = made;
    await repo.land(offer);
    mkdirSync(join(repo.main, "later"));
    repo.write(repo.main, { "later/x": "x\n" });
    repo.commit(repo.main, "later");
    rmSync(repo.worktree, { recursive: true });
    expect(await repo.land(offer, true)).toEqual({ kind: "landed", commit: offer.commit, announced: [] });
  });
});
