import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { journalLines } from "../../../test/support/runs.ts";
import type { Grimoire, Step } from "../../contract/grimoire.ts";
import type { Screen } from "../context.ts";
import { makeColors } from "./colors.ts";
import { iterationText, RunNow } from "./run-now.ts";
import { widthOf } from "./width.ts";

const screen: Screen = { colors: makeColors(false), width: 60, onTerminal: true, nowMs: () => 0 };

function loop(name: string, max_iterations: number, ...steps: Step[]): Step {
  return { name, type: "loop", max_iterations, on_max_iterations: "block", steps };
}

const grimoire: Grimoire = { name: "flow", description: "", steps: [loop("outer", 3, loop("inner", 5))] };

function now(...lines: Parameters<typeof journalLines>): RunNow {
  const told = new RunNow(grimoire, 0);
  for (const line of journalLines(...lines)) told.add(line, 1000);
  return told;
}

const started = { type: "workflow.step.started", kind: "script" } as const;

describe("what runs now", () => {
  test("G14 tells step, attempt, iteration and both times", () => {
    const [first, ...more] = now({ ...started, path: "outer[2]/inner[4]/test", attempt: 2, running_ms: 60_000 }).lines(
      screen,
      6000,
    );
    expect(first!.slice(2)).toBe("…test (attempt 2)  iteration 4 of 5 · 5 s · run 1 min 5 s");
    expect(more).toEqual([]);
  });

  test("G14 the last sign of life: a line of output, a tool call, what the agent says", () => {
    const activity = (...lines: Parameters<typeof journalLines>): string | undefined =>
      now(started, ...lines).lines(screen, 1000)[1];
    const output = (text: string) => ({ type: "step.output", stream: "stdout", text }) as const;
    expect(activity(output("one\ntwo\n"))).toBe("  two");
    expect(activity(output("hal"), output("ves"))).toBe("  halves");
    expect(activity(output("10%\r20%\r"))).toBe("  20%");
    expect(activity(output("one\n\n  \n"))).toBe("  one");
    expect(activity({ type: "agent.tool_call", id: "1", name: "Bash", input: { command: "npm test" } })).toBe(
      "  Bash npm test",
    );
    expect(activity({ type: "agent.tool_call", id: "1", name: "Count", input: { of: 3 } })).toBe('  Count {"of":3}');
    expect(activity({ type: "agent.message", text: "\nI see.\nMore." })).toBe("  I see.");
    expect(activity({ type: "agent.thinking", text: "hm" })).toBe("  thinks: hm");
    expect(activity(output("x"), { type: "workflow.step.completed", status: "succeeded" })).toBeUndefined();
  });

  test("G14 whatever a step prints, nothing leaves the width or controls the terminal", () => {
    const evil = fc.string({
      unit: fc.oneof(fc.constantFrom("\x1b[2J", "\r", "\x07", "\u202e", "字", "👩‍🚀"), fc.string()),
    });
    fc.assert(
      fc.property(evil, fc.string(), fc.integer({ min: 60, max: 120 }), (text, name, width) => {
        const told = now(
          { ...started, path: `outer[1]/${"long-name-".repeat(8)}` },
          { type: "step.output", stream: "stdout", text },
          { type: "agent.tool_call", id: "1", name, input: { text } },
        );
        for (const line of told.lines({ ...screen, width }, 1000)) {
          expect(widthOf(line)).toBeLessThan(width);
          expect(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(line)).toBe(false);
        }
      }),
    );
  });

  test("G9 a loop that is tried again counts on to as many iterations again", () => {
    expect(iterationText(grimoire, "outer[3]/x")).toBe("iteration 3 of 3");
    expect(iterationText(grimoire, "outer[4]/x")).toBe("iteration 4 of 6");
    expect(iterationText(grimoire, "outer")).toBe("");
    expect(iterationText(undefined, "outer[4]/x")).toBe("iteration 4");
  });
});
