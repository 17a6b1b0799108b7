import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import { random } from "../../../../../test/support/random.ts";
import { mendLanding } from "./mend.ts";
import { MergeRepo, type Work } from "../merge.fixture.ts";
import { landingOf } from "../types.ts";

/** Many files, of which every third changes, goes or comes, and a person's own work beside them. */
async function offeredMany(count: number, settings: Record<string, string> = {}, attributes = ""): Promise<Many> {
  const name = (at: number): string => `folder-${at % 7}/file ${at}.txt`;
  const text = (at: number, version: string): string => `${version} of ${at}\n`.repeat((at % 20) + 1);
  const all = Array.from({ length: count }, (_, at) => at);
  const files = Object.fromEntries(all.filter((at) => at % 3 !== 0).map((at) => [name(at), text(at, "old")]));
  const repo = new MergeRepo({ files: { ...files, ".gitattributes": attributes, "mine.txt": "mine\n" } });
  for (const [key, value] of Object.entries(settings)) repo.inMain("config", key, value);
  for (const at of all) {
    if (at % 3 === 1) rmSync(join(repo.worktree, name(at)));
    else repo.write(repo.worktree, { [name(at)]: text(at, "new") });
  }
  const offer = await repo.offer();
  // So that the files on disk are what the settings make of them.
  repo.inMain("rm", "-q", "-r", "--cached", ".");
  repo.inMain("reset", "-q", "--hard");
  repo.write(repo.main, { "mine.txt": "staged\n", "folder-1/untracked": "u\n" });
  repo.inMain("add", "mine.txt");
  repo.write(repo.main, { "mine.txt": "edited\n" });
  const come = all.filter((at) => at % 3 === 0).map(name);
  const after = Object.fromEntries(all.filter((at) => at % 3 !== 1).map((at) => [name(at), text(at, "new")]));
  return { repo, offer, before: repo.work(), come, after };
}

interface Many {
  repo: MergeRepo;
  offer: MergeOffer;
  before: Work;
  /** The files that are new, in the order of their numbers. */
  come: string[];
  /** Changed and new files, as the merge has them. */
  after: Record<string, string>;
}

/** What a finished landing leaves, with the person's work as it was. */
function expectLanded({ repo, offer, before }: Many): void {
  expect(repo.head("main")).toBe(offer.commit);
  const { files, staged, status } = repo.work();
  expect({ staged, status }).toEqual({ staged: before.staged, status: before.status });
  expect(files["mine.txt"]).toBe("file edited\n");
  expect(files["folder-1/untracked"]).toBe("file u\n");
  expect(Object.keys(files)).toHaveLength(repo.inMain("ls-files").split("\n").length + 1);
}

/** Has git die when it comes to this file: the program that writes it kills the one that asked. */
function killAt({ repo }: Many, path: string): void {
  repo.inMain("config", "filter.die.smudge", "kill -9 $PPID");
  repo.write(repo.place.commonDir, { "info/attributes": `"${path}" filter=die\n` });
}

function letLive({ repo }: Many): void {
  rmSync(join(repo.place.commonDir, "info/attributes"));
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was done before.
  }
}

async function expectKilled({ repo, offer }: Many): Promise<void> {
  await expect(repo.land(offer)).rejects.toThrow(/git was ended/);
  expect(repo.head("main")).toBe(offer.target_head);
  expect(existsSync(join(repo.place.commonDir, "index.lock"))).toBe(true);
}

describe("G12 a landing that was killed", () => {
  test.each([
    [1, 6_000, 1],
    [2, 600, 5],
  ])(
    "G12 at any time, and again while it is mended, lands in the end (seed %i, %i files)",
    async (seed, count, kills) => {
      const many = await offeredMany(count);
      using repo = many.repo;
      const next = random(seed);
      killAt(many, many.come[Math.floor(next() * many.come.length)]!);
      await expectKilled(many);
      letLive(many);
      for (let at = 0; at < kills; at++) {
        let timer: NodeJS.Timeout | undefined;
        repo.onStarted = (pid) => {
          clearTimeout(timer);
          timer = setTimeout(() => kill(pid), next() * 200);
        };
        await repo
          .land(many.offer, true)
          .catch((error: unknown) => expect(error).toMatchObject({ code: "interrupted" }));
        clearTimeout(timer);
      }
      repo.onStarted = () => undefined;
      expect(await repo.land(many.offer, true)).toMatchObject({ kind: "landed" });
      expectLanded(many);
    },
  );

  test.each([
    ["a filter", { "filter.up.smudge": "tr a-z A-Z", "filter.up.clean": "tr A-Z a-z" }, "*.txt filter=up\n"],
    ["line ends of its own", { "core.autocrlf": "true" }, ""],
  ])("G12 is taken back with %s", async (_name, settings, attributes) => {
    const many = await offeredMany(15, settings, attributes);
    using repo = many.repo;
    killAt(many, many.come[2]!);
    await expectKilled(many);
    letLive(many);
    await mendLanding(repo.git, repo.place, landingOf(many.offer));
    expect(repo.work()).toEqual(many.before);
    expect(await repo.land(many.offer, true)).toMatchObject({ kind: "landed" });
    expectLanded(many);
  });

  test("G12 is taken back without what a sparse checkout leaves out", async () => {
    const many = await offeredMany(42);
    using repo = many.repo;
    repo.inMain("sparse-checkout", "set", "folder-2");
    const before = repo.work();
    killAt(many, "folder-2/file 9.txt");
    await expectKilled(many);
    letLive(many);
    await mendLanding(repo.git, repo.place, landingOf(many.offer));
    expect(repo.work()).toEqual(before);
    expect(await repo.land(many.offer, true)).toMatchObject({ kind: "landed" });
    expect(repo.work()).toMatchObject({ staged: before.staged, status: before.status });
  });

  test("G12 is taken back with names that are no text", async () => {
    using repo = new MergeRepo();
    const odd = (folder: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x6f, 0xff, 0x0a])]);
    writeFileSync(odd(repo.main), "old\n");
    repo.commit(repo.main, "odd");
    repo.inWorktree("merge", "-q", "--ff-only", "main");
    writeFileSync(odd(repo.worktree), "new\n");
    const offer = await repo.offer();
    repo.hook("reference-transaction", 'grep -q refs/heads/main && [ "$1" = prepared ] && exit 1; exit 0');
    expect(await repo.land(offer)).toMatchObject({ kind: "waits" });
    expect(readFileSync(odd(repo.main), "utf8")).toBe("old\n");
    expect(repo.inMain("status", "--porcelain")).toBe("");
  });

  test("G12 right before the ref moved, with every lock held, is mended and lands", async () => {
    const many = await offeredMany(30);
    using repo = many.repo;
    repo.hook("reference-transaction", 'grep -q refs/heads/main && [ "$1" = prepared ] && kill -9 $PPID; exit 0');
    await expect(repo.land(many.offer)).rejects.toThrow(/git was ended/);
    expect(existsSync(join(repo.place.commonDir, "refs/heads/main.lock"))).toBe(true);
    expect(repo.inMain("diff", "--cached", "--name-only").split("\n")).toHaveLength(31);
    rmSync(join(repo.place.commonDir, "hooks/reference-transaction"));
    expect(await repo.land(many.offer, true)).toMatchObject({ kind: "landed" });
    expectLanded(many);
  });

  test("G12 right after the ref moved has landed", async () => {
    const many = await offeredMany(9);
    using repo = many.repo;
    repo.hook("post-merge", "kill -9 $PPID");
    await expect(repo.land(many.offer)).rejects.toThrow(/git was ended/);
    expect(await repo.land(many.offer, true)).toEqual({ kind: "landed", commit: many.offer.commit, announced: [] });
    expectLanded(many);
  });

  test("G12 leaves what a person did in the meantime, and names it", async () => {
    const many = await offeredMany(60);
    using repo = many.repo;
    killAt(many, many.come[12]!);
    await expectKilled(many);
    letLive(many);
    const edited = ["folder-2/file 2.txt", many.come[0]!, many.come[19]!].sort();
    for (const path of edited) repo.write(repo.main, { [path]: "a person's\n" });
    expect(await repo.land(many.offer, true)).toMatchObject({ kind: "waits", files: edited, announced: [] });
    const theirs = Object.fromEntries(edited.map((path) => [path, "file a person's\n"]));
    expect(repo.work().files).toEqual({ ...many.before.files, ...theirs });
    expect(repo.work().staged).toBe(many.before.staged);
  });
});

describe("G12 half work of any kind", () => {
  test.each([[1], [2], [3]])("G12 is told from a person's, file by file (seed %i)", async (seed) => {
    const many = await offeredMany(45, { "core.autocrlf": "true" });
    using repo = many.repo;
    const next = random(seed);
    const changed = repo.inMain("diff", "--name-only", "-z", "--no-renames", "main", many.offer.commit).split("\0");
    const theirs: Record<string, string> = {};
    for (const path of changed.filter((each) => each !== "")) {
      const old = many.before.files[path]?.slice("file ".length);
      const after = many.after[path]?.replaceAll("\n", "\r\n");
      const states = [old, after, after && part(after, next()), old && part(old, next()), undefined, "a person's\n"];
      const state = states[Math.floor(next() * states.length)];
      if (state === undefined) rmSync(join(repo.main, path), { force: true });
      else repo.write(repo.main, { [path]: state });
      if (state === "a person's\n") theirs[path] = `file ${state}`;
    }
    writeFileSync(join(repo.place.commonDir, "index.lock"), "");
    await mendLanding(repo.git, repo.place, landingOf(many.offer));
    expect(repo.work().files).toEqual({ ...many.before.files, ...theirs });
    expect(repo.work().staged).toBe(many.before.staged);
  });
});

const part = (text: string, share: number): string => text.slice(0, Math.floor(text.length * share));
