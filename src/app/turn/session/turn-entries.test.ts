import { expect, test } from "vitest";
import type { TurnLine } from "../../../contract/turn.ts";
import type { ExecutionReport, LoggedAction } from "../../../contract/turn-report.ts";
import { entriesOfLine } from "./turn-entries.ts";

const at = "2026-11-18T10:00:00.000Z";
const executed: TurnLine = { v: 1, turn: "02", at, type: "executed", status: "PARTIAL", hashes: {}, files: [] };

function report(...actions: Partial<LoggedAction>[]): ExecutionReport {
  return {
    format: 1,
    run_summary: {
      status: "ABORTED",
      turn: "02",
      plan_title: "Greet",
      agent: "dev",
      started_at: at,
      ended_at: at,
      duration_ms: 1,
      counts: { success: 0, failure: 0, skipped: 0, denied: 0 },
      memos: { answer: "accepted", by: "user", changes: [{ change: "add", text: "Use pnpm" }] },
    },
    action_log: actions.map((action, index) => ({
      action: index + 1,
      type: "CREATE",
      description: "",
      status: "SUCCESS",
      parameters: {},
      duration_ms: 1,
      ...action,
    })),
  };
}

test("S4 T5 what a person said to a plan are their words, a failure is an error with what was expected", () => {
  const byUser = { by: "user" } as const;
  const entries = entriesOfLine(executed, 4, {
    title: "Greet",
    message: undefined,
    rationale: undefined,
    report: report(
      { parameters: { path: "a.txt" }, approval: { ...byUser, answer: "approve", edited: true } },
      {
        type: "EDIT",
        status: "DENIED",
        parameters: { path: "b.txt" },
        approval: { ...byUser, answer: "deny", reason: "not that one" },
      },
      { type: "READ", parameters: { sources: ["c.txt", "d.txt"] }, approval: { by: "none_needed", answer: "none" } },
      { parameters: { path: "e.txt" }, approval: { ...byUser, answer: "approve_rest" } },
      {
        type: "EXECUTE",
        status: "FAILURE",
        parameters: { command: "npm test", expected: "all pass" },
        exit_code: 1,
        output: "1 failed",
        approval: { ...byUser, answer: "approve_rest" },
      },
      { type: "CHAT_WITH_USER", parameters: { text: "Go on?" }, reply: "Yes, please" },
    ),
  });
  expect(entries).toEqual([
    { kind: "phase", title: "Execute 02: Greet", opened: { at, journal: 4 } },
    { kind: "user", text: "accept", action: "memos: + Use pnpm" },
    { kind: "user", text: "approve", action: "CREATE a.txt, edited" },
    { kind: "tool", name: "create", args: "a.txt", result: "SUCCESS", failed: false },
    { kind: "user", text: "not that one", action: "deny EDIT b.txt" },
    { kind: "tool", name: "edit", args: "b.txt", result: "DENIED", failed: true },
    { kind: "tool", name: "read", args: "c.txt, d.txt", result: "SUCCESS", failed: false },
    { kind: "user", text: "approve the rest", action: "CREATE e.txt" },
    { kind: "tool", name: "create", args: "e.txt", result: "SUCCESS", failed: false },
    {
      kind: "tool",
      name: "execute",
      args: "npm test",
      result: "FAILURE, exit 1",
      result_full: "FAILURE, exit 1\n1 failed",
      failed: true,
    },
    { kind: "error", text: "EXECUTE npm test failed: exit 1; expected: all pass" },
    { kind: "tool", name: "chat_with_user", args: "Go on?", result: "SUCCESS", failed: false },
    { kind: "user", text: "Yes, please", action: "answered the agent" },
    { kind: "error", text: "The execution was stopped by a person." },
  ]);
});

test("S4 T5 what was approved beforehand is a person's word, and what was not done is no call", () => {
  const approval = { by: "flag", answer: "approve" } as const;
  const done = report(
    { parameters: { path: "a.txt" }, approval },
    { status: "SKIPPED", parameters: { path: "b.txt" } },
  );
  const memos = { ...done.run_summary.memos, answer: "rejected", by: "no_terminal" } as const;
  const whole = { ...done, run_summary: { ...done.run_summary, status: "SUCCESS" as const, memos } };
  const [, ...entries] = entriesOfLine(executed, 4, {
    title: "Greet",
    message: undefined,
    rationale: undefined,
    report: whole,
  });
  expect(entries).toEqual([
    { kind: "remark", text: "Memo changes were not made, because nobody could be asked: + Use pnpm" },
    { kind: "user", text: "approve all", action: "CREATE a.txt" },
    { kind: "tool", name: "create", args: "a.txt", result: "SUCCESS", failed: false },
    { kind: "remark", text: "Not done: CREATE b.txt" },
  ]);
});

test("T5 an undo tells which files it took back", () => {
  const line: TurnLine = {
    v: 1,
    turn: "02",
    at,
    type: "undone",
    files: [{ path: "a.txt", before: null, after: null }],
  };
  const nothing = { title: undefined, message: undefined, rationale: undefined, report: undefined };
  expect(entriesOfLine(line, 5, nothing)).toEqual([
    { kind: "phase", title: "Undo 02", opened: { at, journal: 5 } },
    { kind: "user", text: "undo 02", action: "took back a.txt" },
  ]);
});
