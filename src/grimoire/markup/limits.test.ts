import { expect, test } from "vitest";
import { readWorkflow } from "./read-workflow.ts";

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
const messages = (text: string): string[] => readWorkflow(text, "long.md").problems.map(({ message }) => message);
const head = "---\ntype: workflow\nname: long\n---\n\n";

test("S13 conditions of one node have a limit, which is told once", () => {
  const text = `${head}## A @coder\n\n${lines(2_500, () => "If {{true}} → B")}\n${lines(2_500, () => "Otherwise → C")}\n\n## B @coder\n\nb\n\n## C @coder\n\nc\n`;
  expect(messages(text).filter((each) => each === "more than 200 conditions of one node")).toHaveLength(1);
});

test("S13 conditions that an Otherwise repeats for many nodes have a limit, which is told once", () => {
  const hundred = (from: number): string => Array.from({ length: 100 }, (_, at) => `N${from + at}`).join(", ");
  const nodes = lines(300, (at) => `## N${at} @coder\n\nwork\n`);
  const conditions = lines(100, (at) => `If {{eq .bead.id "${"x".repeat(100)}${at}"}} → N1`);
  const text = `${head}## A @coder\n\n${conditions}\n${lines(3, (at) => `Otherwise → ${hundred(at * 100)}`)}\n\n${nodes}`;
  expect(messages(text)).toEqual(["the conditions of this workflow are too long together"]);
});

test("S13 a condition for people is told once, however often an Otherwise repeats it", () => {
  const text = `${head}## A @coder\n\nIf it looks fine → B\nOtherwise → C, D\n\n## B @coder\n\nb\n\n## C @coder\n\nc\n\n## D @coder\n\nd\n`;
  expect(messages(text)).toEqual(['the condition "it looks fine" is for people: a run cannot decide it']);
});

test("S13 what a node creates has a limit", () => {
  const text = `${head}## A @coder\n\nTakes bead → creates:\n${lines(60_000, (at) => `- n${at}`)}\n`;
  expect(messages(text)).toContain("creates more than 200 things");
});

test("S13 a NUL in the text is an error: YAML cannot hold it, nor can a script", () => {
  const { problems } = readWorkflow("---\ntype: workflow\n---\n## Say @sh\n```sh\necho a\0b\n```\n", "nul.md");
  expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    "6:7 text must not contain NUL characters",
  ]);
});

test("S13 suggestions for unknown nodes are few, so that what they cost does not grow with their number", () => {
  const nodes = Array.from({ length: 1000 }, (_, at) => `## ${"n".repeat(60)}${at} @a\n\nSay.\n`);
  const flows = Array.from({ length: 8000 }, (_, at) => `${"n".repeat(50)}x${at} → ${"n".repeat(60)}1\n\n`);
  const text = `---\ntype: workflow\n---\n${flows.join("")}${nodes.join("\n")}`;
  const { problems } = readWorkflow(text, "many.md");
  const suggested = problems.filter(({ hint }) => hint?.startsWith("did you mean"));
  expect(problems.length).toBeGreaterThan(50);
  expect(suggested.length).toBeLessThanOrEqual(20);
});
