import { expect, it } from "vitest";
import type { StepWork } from "../contract/run.ts";
import { deadlineOf } from "./deadline.ts";

const work = (timeout_ms: number, ...loops: number[]): StepWork => ({
  path: "x",
  attempt: 1,
  input: { kind: "merge", offer: null },
  warnings: [],
  timeout_ms,
  within: loops.map((limit, at) => ({ path: `loop-${at}`, attempt: 1, timeout_ms: limit })),
});
const running = { runningMs: 1000, runBegunMs: 0, runLimitMs: 10_000, begunMs: () => 500 };

it.each([
  ["the step's own limit only fails the step", work(300, 5000), 300, undefined],
  ["a loop's limit counts from when the loop began", work(5000, 2000), 1500, { path: "loop-0", attempt: 1 }],
  ["of two loops the one that comes first", work(5000, 4000, 2000), 1500, { path: "loop-1", attempt: 1 }],
  ["of equal limits the outermost", work(1500, 2000, 2000), 1500, { path: "loop-0", attempt: 1 }],
  ["the run's limit", work(20_000), 9000, null],
])("G10 %s", (_, given, remainingMs, scope) => {
  const outcome = scope === undefined ? undefined : { kind: "timeout", scope };
  expect(deadlineOf(given, running)).toEqual({ remainingMs, outcome });
});

it("G10 a limit that has passed is negative", () => {
  expect(deadlineOf(work(5000, 100), running).remainingMs).toBe(-400);
});
