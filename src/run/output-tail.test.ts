import { expect, test } from "vitest";
import { journalLines } from "../../test/support/runs.ts";
import { OutputTail } from "./output-tail.ts";

function tail(...lines: Parameters<typeof journalLines>): OutputTail {
  const told = new OutputTail();
  for (const line of journalLines(...lines)) told.add(line);
  return told;
}

const output = (text: string, stream: "stdout" | "stderr" = "stdout") =>
  ({ type: "step.output", stream, text }) as const;
const started = { type: "workflow.step.started", kind: "script" } as const;
const failed = { type: "workflow.step.completed", status: "failed" } as const;

test("G17 the last lines of both streams, as they came, of the step that failed", () => {
  const told = tail(
    started,
    output("old\n"),
    { ...failed, status: "succeeded" },
    started,
    output("a\n"),
    output("b\n", "stderr"),
    output("c"),
    failed,
  );
  expect(told.failedAt("build")).toEqual({ path: "build", attempt: 1, text: "a\nb\nc", files: [] });
  expect(told.failedAt("other")).toBeUndefined();
});

test("G17 a loop that came to no end shows what failed in it, not what was done about it", () => {
  const told = tail(
    { ...started, path: "loop[1]/test" },
    { ...output("2 failing\n"), path: "loop[1]/test" },
    { ...failed, path: "loop[1]/test" },
    { ...started, path: "loop[1]/fix" },
    { ...output("fixed\n"), path: "loop[1]/fix" },
    { ...failed, status: "succeeded", path: "loop[1]/fix" },
  );
  expect(told.failedAt("loop")?.text).toBe("2 failing");
  expect(told.failedAt("lo")).toBeUndefined();
});

test("G15 the beginning of an output that is too long is not taken for its end", () => {
  const file = { sha256: "0".repeat(64), bytes: 70_000, as: "text" } as const;
  const told = tail(started, output("the beginning\n"), { ...failed, output_file: file, stderr: "the reason\n" });
  expect(told.failedAt("build")).toMatchObject({ text: "the reason", files: [file] });
});

test("G17 so many lines that they can be read", () => {
  const told = tail(started, output(Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join("")), failed);
  expect(told.failedAt("build")?.text.split("\n")).toEqual(Array.from({ length: 15 }, (_, at) => `line ${85 + at}`));
});
