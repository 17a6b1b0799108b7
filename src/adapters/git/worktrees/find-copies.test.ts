import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyLimits, findCopies } from "./find-copies.ts";

describe("G11 worktree.copy finds", () => {
  let root: string;
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "clew-copies-")));
    const files = [
      ".env",
      ".env.local",
      "a/.env",
      "a/b/.env",
      "a/b/c.txt",
      "a.b",
      "axb",
      "[x]",
      "node_modules/p/index.js",
    ];
    for (const path of [...files, ".git/config", "a/.git/config", ".worktrees/z/.env"]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path);
    }
    mkdirSync(join(root, "empty"));
    symlinkSync("../a.b", join(root, "a/inside"));
    symlinkSync("nowhere", join(root, "a/nowhere"));
    symlinkSync("../../outside", join(root, "a/outside"));
    symlinkSync(join(root, "a.b"), join(root, "a/absolute"));
    symlinkSync(".git/config", join(root, "gits"));
    symlinkSync("/etc", join(root, "etc"));
    symlinkSync("a", join(root, "linked"));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const found = (...patterns: string[]): string[] =>
    findCopies(root, patterns)
      .copies.map(({ path }) => path)
      .sort();

  test.each([
    [[".env"], [".env"]],
    [[".env*"], [".env", ".env.local"]],
    [["**/.env"], [".env", "a/.env", "a/b/.env"]],
    [["a/**/.env"], ["a/.env", "a/b/.env"]],
    [["a/**/**/c.txt"], ["a/b/c.txt"]],
    [["a/b"], ["a/b/.env", "a/b/c.txt"]],
    [["a/b/**"], ["a/b/.env", "a/b/c.txt"]],
    [["a?b"], ["a.b", "axb"]],
    [["a.b"], ["a.b"]],
    [["[x]"], ["[x]"]],
    [
      ["node_modules", "a.b", "a.*"],
      ["a.b", "node_modules/p/index.js"],
    ],
    [["linked/b/c.txt", "etc/passwd", "etc/*"], []],
    [["empty", "nothing", "a.b/x"], []],
  ])("G11 %j", (patterns, expected) => {
    expect(found(...patterns)).toEqual(expected);
  });

  test("G11 nothing of git's, nothing of other worktrees, no link that leads out", () => {
    const all = found("**");
    expect(all.filter((path) => path.includes(".git") || path.includes(".worktrees"))).toEqual([]);
    expect(all.filter((path) => ["a/absolute", "a/outside", "etc", "gits"].includes(path))).toEqual([]);
    expect(all).toEqual(expect.arrayContaining(["a/inside", "a/nowhere", "linked"]));
  });

  test("G11 what cannot be copied is told", () => {
    expect(findCopies(root, ["nothing", "a/outside", "a/absolute", "*.none"]).remarks).toEqual([
      "there is no nothing to copy",
      "a/outside is a link out of the repository and was not copied",
      "a/absolute is a link out of the repository and was not copied",
      "there is no *.none to copy",
    ]);
  });

  test("G11 it stops looking when there are too many", () => {
    mkdirSync(join(root, "many"));
    for (let n = 0; n < copyLimits.files + 5; n++) writeFileSync(join(root, "many", String(n)), "");
    expect(findCopies(root, ["many"]).copies).toHaveLength(copyLimits.files + 1);
    rmSync(join(root, "many"), { recursive: true });
  });
});
