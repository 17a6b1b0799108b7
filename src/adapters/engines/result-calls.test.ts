import { expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import { until } from "../shell/children.fixture.ts";
import { ResultCalls } from "./result-calls.ts";

const call = (id: string, name: string): EngineEvent => ({ type: "tool_call", id, name, input: {} });
const answer = (id: string, failed: boolean): EngineEvent => ({ type: "tool_result", id, output: "no route", failed });

test.each(["mcp__clew__submit_result", "mcp_clew_submit_result", "clew_submit_result", "submit_result"])(
  "H7 a call of %s that is not answered is told",
  async (name) => {
    let unanswered = 0;
    const calls = new ResultCalls(1, () => unanswered++);
    calls.take(call("1", name));
    await until(() => unanswered > 0);
    expect(unanswered).toBe(1);
  },
);

test("H7 a call that failed is remembered until another one succeeds, and other tools do not count", () => {
  const calls = new ResultCalls(60_000, () => {
    throw new Error("it was answered");
  });
  calls.take(call("0", "resubmit_results"));
  calls.take(answer("0", true));
  expect(calls.failure).toBeUndefined();
  calls.take(call("1", "mcp__clew__submit_result"));
  calls.take(answer("1", true));
  expect(calls.failure).toBe("no route");
  calls.take(call("2", "mcp__clew__submit_result"));
  calls.take(answer("2", false));
  expect(calls.failure).toBeUndefined();
});
