import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folders.ts";
import { countChanges, unifiedDiff } from "./unified-diff.ts";

const names = { before: "a/file", after: "b/file" };

test("a change is shown with the lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  expect(unifiedDiff(before, before.replace("5", "five"), names)).toBe(
    "--- a/file\n+++ b/file\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
  expect(unifiedDiff(undefined, "one", names)).toBe(
    "--- /dev/null\n+++ b/file\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n",
  );
  expect(unifiedDiff("a", "a", names)).toBe("");
  expect(countChanges(unifiedDiff("a\nb\n", "a\nc\nd\n", names))).toEqual({ added: 2, deleted: 1 });
});

test("git makes the new text of the old one by the diff, whatever they are", () => {
  using folder = new Folder();
  const file = join(folder.path, "file");
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "", "long line"), { maxLength: 30 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), lines.map((line) => `${line}\n`).join("")));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      writeFileSync(file, before);
      const patch = unifiedDiff(before, after, names);
      execFileSync("git", ["apply", "--unidiff-zero", "-"], { cwd: folder.path, input: patch });
      expect(readFileSync(file, "utf8")).toBe(after);
    }),
    { numRuns: 60 },
  );
});

test("a long file with many changes takes time linear in its size, and one that differs in all lines, too", () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at}`);
  const edited = lines.map((line, at) => (at % 250 === 0 ? `${line}!` : line));
  expect(countChanges(unifiedDiff(lines.join("\n"), edited.join("\n"), names))).toEqual({ added: 200, deleted: 200 });
  const others = lines.map((line) => `other ${line}`);
  expect(countChanges(unifiedDiff(lines.join("\n"), others.join("\n"), names)).added).toBe(50_000);
});
