import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, LearnRepo, phase, user } from "../support/learn-repo.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

const failing = [
  call("npm test", "1 failed", true),
  call("src/a.ts", "done", false, "Edit"),
  call("npm test", "passed"),
];

test.skipIf(!hasTerminals)("S15 the list of cases keeps what shows them, on any usual terminal", async () => {
  using repo = new LearnRepo();
  await repo.session(
    "Mend the parser of dates, and what depends on it",
    call(`npm test -- ${"x".repeat(150)}`, "1 failed", true),
    call("a", "b"),
    call(`npm test -- ${"x".repeat(150)}`, "passed"),
  );
  for (const columns of [80, 120]) {
    const { lines } = await onTerminal(repo, ["session", "learn"], { columns });
    expect(lines[0]).toMatch(/^CASE +TYPE +SHOWN BY +WHAT$/);
    expect(lines.join("\n")).toMatch(/puzzle +passing run +Bash npm/);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test("S16 an export makes the folders that it is to stand in, as codify and session export do", async () => {
  using repo = new LearnRepo();
  const id = await repo.session("Mend it", user("Make it pass"), phase("Test"), ...failing);
  await repo.clew("session", "learn", "--export", "markdown", "-o", "a/b/cases.md");
  await repo.clew("session", "export", id, "-o", "c/d/session.html");
  await repo.clew("session", "codify", id, "-o", "e/f/flow.yaml");
  await repo.clew("grimoire", "convert", "e/f/flow.yaml", "-o", "g/h/flow.md");
  for (const file of ["a/b/cases.md", "c/d/session.html", "e/f/flow.yaml", "g/h/flow.md"])
    expect(readFileSync(join(repo.root, file), "utf8").length).toBeGreaterThan(50);
  for (const args of [
    ["session", "learn", "--export", "markdown"],
    ["session", "export", id],
    ["session", "codify", id],
  ]) {
    const { message } = await repo.refused([...args, "-o", "a/b/cases.md/x.md"]);
    expect(message).toMatch(/x\.md: a file is in the way, where a folder belongs$/);
  }
});

test("S16 an export of nothing writes nothing, says so, and names the way on", async () => {
  using repo = new LearnRepo();
  await repo.session("Mend it", ...failing);
  const before = readdirSync(repo.root);
  for (const format of ["jsonl", "markdown", "puzzle", "atif"])
    for (const file of ["out.jsonl", "new/folder/out.jsonl"]) {
      const out = await repo.clew("session", "learn", "--agent", "nobody", "--export", format, "-o", file);
      expect(out).toMatch(/^Nothing was written: there is no (?:line|case|trajectory)\n/);
      expect(out).toContain("Next: ask without --agent nobody");
    }
  expect(readdirSync(repo.root)).toEqual(before);
  await repo.clew("session", "learn", "--export", "jsonl", "-o", "cases.jsonl");
  expect(existsSync(join(repo.root, "cases.puzzles.jsonl"))).toBe(true);
  expect(existsSync(join(repo.root, "cases.corrections.jsonl"))).toBe(false);
  expect(await repo.clew("session", "learn", "--agent", "nobody")).toContain("Next: ask without --agent nobody");
});

test("S16 what is of harbor tasks names harbor where no export is asked for", async () => {
  using repo = new LearnRepo();
  for (const option of [["--check"], ["--image", "node:22"]]) {
    const { hint } = await repo.refused(["session", "learn", ...option]);
    expect(hint).toBe("clew session learn --export harbor -o FOLDER");
  }
});
