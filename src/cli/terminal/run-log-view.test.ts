import { describe, expect, test } from "vitest";
import { journalLines } from "../../../test/support/runs.ts";
import type { Screen } from "../context.ts";
import { makeColors } from "./colors.ts";
import { RunLogView } from "./run-log-view.ts";

const screen: Screen = { colors: makeColors(false), width: 80, onTerminal: false, nowMs: () => 0 };

/** The log without its times. */
function log(...lines: Parameters<typeof journalLines>): string[] {
  const view = new RunLogView(screen, "/logs/a-run.jsonl");
  return [...journalLines(...lines).flatMap((line) => view.add(line)), ...view.end()].map((line) =>
    line.replace(/^\d\d:\d\d:\d\d {2}/, ""),
  );
}

const output = (text: string, stream: "stdout" | "stderr" = "stdout") =>
  ({ type: "step.output", stream, text }) as const;

describe("a run's log", () => {
  test("G15 output that comes in pieces is told in lines, each stream by itself", () => {
    expect(log(output("one\ntw"), output("err\n", "stderr"), output("o\r\nthree"))).toEqual([
      "            │ one",
      "            ┃ err",
      "            │ two",
      "            │ three",
    ]);
  });

  test("G15 what a script prints cannot control the terminal", () => {
    expect(log(output("\x1b[2Jgone\x07\n"))).toEqual(["            │ ␛[2Jgone␇"]);
    expect(log({ type: "step.warning", message: "a\x1b[31m\nb" })).toEqual(["! a␛[31m b"]);
  });

  test("G15 a script with its values, and where an output stands that is too long", () => {
    const lines = log(
      {
        type: "workflow.step.started",
        kind: "script",
        input: { kind: "script", shell: "sh", script: 'echo "$v"\ntrue\n', values: { v: "a\nb" } },
      },
      {
        type: "workflow.step.completed",
        status: "failed",
        exit_code: 2,
        error: "exited with 2",
        duration_ms: 1500,
        output_file: { sha256: "0".repeat(64), bytes: 70_000, as: "text" },
      },
    );
    expect(lines).toEqual([
      "▸ build  script",
      '            $ echo "$v"',
      "            $ true",
      "            v = a b",
      "✗ build  2 s · exit 2",
      `            whole output: 70,000 bytes in /logs/a-run/${"0".repeat(64)}.txt`,
    ]);
  });

  test("G15 what an agent says, thinks, calls and gets", () => {
    const lines = log(
      { type: "agent.init", engine: "scripted", model: "none" },
      { type: "agent.thinking", text: "hm" },
      { type: "agent.message", text: "I screen.\nThen I act." },
      { type: "agent.tool_call", id: "1", name: "Bash", input: { command: "ls" } },
      { type: "agent.tool_result", id: "1", name: "Bash", output: "a\nb", failed: false, duration_ms: 5 },
      { type: "agent.tool_result", id: "2", output: "no", failed: true },
      { type: "agent.error", message: "again" },
    );
    expect(lines).toEqual([
      "  scripted · none",
      "  thinks",
      "            │ hm",
      "  says",
      "            │ I screen.",
      "            │ Then I act.",
      "  calls Bash ls",
      "  result Bash 5 ms",
      "            │ a",
      "            │ b",
      "  failed",
      "            │ no",
      "  error",
      "            │ again",
    ]);
  });

  test("G15 a long prompt is cut, and says by how much", () => {
    const prompt = Array.from({ length: 25 }, (_, at) => `line ${at + 1}`).join("\n");
    const lines = log({ type: "workflow.step.started", kind: "agent", input: { kind: "agent", engine: "x", prompt } });
    expect(lines.slice(-2)).toEqual(["            › line 20", "            … 5 more lines"]);
  });

  test("G17 waits and signals, also those that came too late", () => {
    const lines = log(
      {
        type: "workflow.blocked",
        blocked_reason: "step_failed",
        message: "exited with 1",
        iteration_summaries: [],
        worktree: "/w",
        actions: ["clew run retry a-run"],
      },
      { type: "run.signal", id: "1", to: null, taken: true, signal: { kind: "retry", inputs: { a: 1, b: 2 } } },
      { type: "run.signal", id: "2", to: null, taken: false, signal: { kind: "reject", reason: "too long" } },
      {
        type: "workflow.cancelled",
        running_ms: 3000,
        usage: { input_tokens: 1000, output_tokens: 500, cost_usd: 0.5 },
      },
    );
    expect(lines).toEqual([
      "⏸ blocked at build: exited with 1",
      "            clew run retry a-run",
      "☞ retry with a, b",
      "☞ reject: too long (did not count: it came too late, or another came after it)",
      "– cancelled  after 3 s · 1,500 tokens · $0.50",
    ]);
  });
});
