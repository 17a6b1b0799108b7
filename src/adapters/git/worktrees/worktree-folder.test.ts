import fc from "fast-check";
import { basename, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { worktreePaths } from "../../layout/worktree-paths.ts";

describe("G11 the folder of a bead's worktree", () => {
  const nameOf = (bead: string): string => basename(worktreePaths.of("/root", bead));

  test("G11 it is called like the bead where that can be", () => {
    for (const bead of ["proj-1", "proj-a3f.2", "A_b.c-d", "x".repeat(100)]) expect(nameOf(bead)).toBe(bead);
  });

  test("G11 else like what can be of it, and beads stay apart", () => {
    expect(nameOf("Fix the login!")).toMatch(/^Fix-the-login-[0-9a-f]{8}$/);
    expect(nameOf("a/b")).not.toBe(nameOf("a-b"));
    expect(nameOf("日本")).toMatch(/^bead-[0-9a-f]{8}$/);
    expect(nameOf("日本")).not.toBe(nameOf("本日"));
    for (const bead of ["..", ".git", "a..b", "a.lock", "a.", "-x", "", "x".repeat(101)])
      expect(nameOf(bead)).not.toBe(bead);
  });

  test("G11 whatever a bead is called, it is one folder in .worktrees", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."./a-\0\n~") })),
        (bead) => {
          const folder = worktreePaths.of("/root", bead);
          expect(dirname(folder)).toBe("/root/.worktrees");
          expect(basename(folder)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
        },
      ),
    );
  });
});
