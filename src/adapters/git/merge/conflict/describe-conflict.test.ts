import { expect, test } from "vitest";
import { describeConflict } from "./describe-conflict.ts";

const hunk = ["<<<<<<< ours", "a", "=======", "b", ">>>>>>> theirs"];
const describe = (lines: string[]): string =>
  describeConflict([{ path: "file", stages: [1, 2, 3], text: lines.join("\n") }]);

test("G12 each hunk stands under its file and line, with the lines around it", () => {
  expect(describe(["1", "2", "3", "4", ...hunk, "5", "6", "7", "8"])).toBe(
    `file:5\n2\n3\n4\n${hunk.join("\n")}\n5\n6\n7\n`,
  );
});

test("G12 a hunk that has no end reaches to the end of the file", () => {
  expect(describe(["<<<<<<< ours", "a", "=======", "b"])).toBe("file:1\n<<<<<<< ours\na\n=======\nb\n");
  expect(describe(["x", "<<<<<<< ours"])).toBe("file:2\nx\n<<<<<<< ours\n");
});

test("G12 what is longer than a person reads is cut at the end of a line", () => {
  const text = describe(Array.from({ length: 50_000 }, () => hunk).flat());
  expect(text.length).toBeLessThan(70_000);
  expect(text).toMatch(/\n\[cut here: the files in the worktree have the rest\]\n$/);
});
