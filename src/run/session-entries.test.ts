import { describe, expect, test } from "vitest";
import type { StepInput } from "../contract/step-input.ts";
import type { LogEntry } from "../contract/session.ts";
import { questionIdPattern } from "../contract/session-values.ts";
import {
  agentInput,
  begun,
  driven,
  numbered,
  scriptInput,
  startLine,
  type Draft,
} from "../../test/support/journals.ts";
import { SessionEntries } from "./session-entries.ts";
import { waitQuestionId } from "./wait-question-id.ts";

const runId = "2026-11-15-fix-the-login";
const address = { path: "quality-loop[2]/run-tests", attempt: 1 };
const completed = { type: "workflow.step.completed" as const, ...address, running_ms: 0 };
const succeeded: Draft = { ...completed, status: "succeeded", success: true, output: "40 passed", exit_code: 0 };
const blocked: Draft = {
  type: "workflow.blocked",
  ...address,
  attempt: 2,
  blocked_reason: "step_failed",
  message: "exited with 1",
  iteration_summaries: [{ path: "quality-loop", iteration: 2, summary: "run-tests failed (exit 1)" }],
  worktree: "/home/somebody/repo/.worktrees/proj-1",
  actions: [`clew run retry ${runId}`, `clew run cancel ${runId}`],
  running_ms: 0,
};
const signalled = (signal: Extract<Draft, { type: "run.signal" }>["signal"], taken = true): Draft => ({
  type: "run.signal",
  id: "s1",
  signal,
  to: address,
  taken,
  running_ms: 0,
});

function project(...drafts: Draft[]): { entries: LogEntry[]; standing: SessionEntries["standing"] } {
  const projection = new SessionEntries(runId);
  const lines = numbered([startLine(runId), driven, ...drafts]);
  return { entries: lines.flatMap((line) => projection.add(line)), standing: projection.standing };
}

/** Without the phase that all of them stand in. */
function inStep(input: StepInput, ...drafts: Draft[]): LogEntry[] {
  const [first, ...entries] = project(begun(address, input), ...drafts).entries;
  expect(first).toMatchObject({ kind: "phase", title: address.path });
  return entries;
}

describe("S2 phases", () => {
  test("S2 each attempt at a step opens one, with its agent and the event that began it", () => {
    const { entries } = project(begun(address, agentInput), begun({ ...address, attempt: 2 }, scriptInput));
    expect(entries.filter(({ kind }) => kind === "phase")).toEqual([
      {
        kind: "phase",
        title: "quality-loop[2]/run-tests",
        agent: "coder@2",
        opened: { at: "2026-11-15T10:00:00.411Z", journal: 10 },
      },
      {
        kind: "phase",
        title: "quality-loop[2]/run-tests (attempt 2)",
        opened: { at: "2026-11-15T10:00:00.548Z", journal: 12 },
      },
    ]);
  });

  test("S2 a loop opens none, nor does a skipped step; what comes before any step stands in Start", () => {
    const loop: Draft = {
      type: "workflow.step.started",
      path: "quality-loop",
      attempt: 1,
      kind: "loop",
      running_ms: 0,
    };
    const skipped: Draft = { ...completed, status: "skipped" };
    expect(project(loop, skipped).entries).toEqual([]);
    expect(project(loop, blocked).entries[0]).toEqual({
      kind: "phase",
      title: "Start",
      opened: { at: "2026-11-15T10:00:00.137Z", journal: 9 },
    });
  });

  test("S2 a step called Summary does not take the heading that is a person's", () => {
    expect(project(begun({ path: "Summary", attempt: 1 }, scriptInput)).entries[0]).toMatchObject({
      title: "step Summary",
    });
  });
});

describe("S3 what a step did", () => {
  test("S3 a script is a tool call with its values in place", () => {
    const input: StepInput = {
      kind: "script",
      shell: "bash",
      script: `git commit -m "$clew_value_1" --author='x '"$clew_value_2"'' "in \${clew_value_3}" "$clew_value_4"\n`,
      values: { clew_value_1: "it's done", clew_value_2: "a'b", clew_value_3: "$HOME", clew_value_4: "src/a.ts" },
    };
    expect(inStep(input, succeeded)).toEqual([
      {
        kind: "tool",
        name: "bash",
        args: `git commit -m 'it'\\''s done' --author='x a'\\''b' "in $HOME" src/a.ts`,
        result: "40 passed",
        failed: false,
      },
    ]);
  });

  test("S3 S4 a failed script: what it printed, and why it failed", () => {
    const failed: Draft = { ...completed, status: "failed", success: false, stderr: "2 of 40 failing\n", exit_code: 1 };
    expect(inStep(scriptInput, failed)).toEqual([
      { kind: "tool", name: "sh", args: "npm test", result: "2 of 40 failing", failed: true },
      { kind: "error", text: "exited with 1\n\n2 of 40 failing" },
    ]);
  });

  test("G15 of an output too long for the journal, where it stands", () => {
    const output_file = { sha256: "a".repeat(64), bytes: 90_000, as: "text" as const };
    const [tool] = inStep(scriptInput, { ...completed, status: "succeeded", success: true, output_file });
    expect(tool).toMatchObject({ result: `90000 bytes in .clew/logs/workflows/${runId}/${"a".repeat(64)}.txt` });
  });

  test("S3 S4 an agent's calls with their results, its words, errors, tokens and summary; not its thinking", () => {
    const entries = inStep(
      agentInput,
      { type: "agent.init", ...address, engine: "scripted", model: "opus" },
      { type: "agent.thinking", ...address, text: "hm" },
      { type: "agent.message", ...address, text: "I look." },
      { type: "agent.tool_call", ...address, id: "1", name: "Read", input: { file_path: "a.ts", limit: 3 } },
      { type: "agent.tool_call", ...address, id: "2", name: "Bash", input: { command: "npm test", description: "x" } },
      { type: "agent.tool_call", ...address, id: "3", name: "never answered", input: "plain" },
      { type: "agent.tool_result", ...address, id: "2", name: "Bash", output: "1 failing", failed: true },
      { type: "agent.tool_result", ...address, id: "1", output: "3 lines", failed: false },
      { type: "agent.error", ...address, message: "overloaded" },
      { type: "step.warning", ...address, message: "a value stands as it is" },
      {
        ...completed,
        status: "succeeded",
        success: true,
        output: {},
        summary: "The login works.",
        usage: { input_tokens: 1000, output_tokens: 200 },
      },
    );
    expect(entries).toEqual([
      { kind: "text", text: "I look." },
      { kind: "tool", name: "Bash", args: "npm test", result: "1 failing", failed: true },
      { kind: "tool", name: "Read", args: 'a.ts {"limit":3}', result: "3 lines", failed: false },
      { kind: "error", text: "overloaded" },
      { kind: "remark", text: "warning: a value stands as it is" },
      { kind: "tool", name: "never-answered", args: "plain", failed: false },
      { kind: "tokens", tokens: 1200, model: "opus", engine: "scripted" },
      { kind: "task_complete", text: "The login works." },
    ]);
  });

  test("S4 an agent's last error is not told again as the reason of its step", () => {
    const entries = inStep(
      agentInput,
      { type: "agent.error", ...address, message: "no credit" },
      { ...completed, status: "failed", success: false, error: "no credit" },
    );
    expect(entries).toEqual([{ kind: "error", text: "no credit" }]);
  });

  test("G16 a step that was interrupted says so, and is done again in a phase of its own", () => {
    const entries = inStep(scriptInput, driven, begun(address, scriptInput), succeeded);
    expect(entries).toEqual([
      { kind: "tool", name: "sh", args: "npm test", failed: false },
      { kind: "remark", text: "interrupted here; the step is done again" },
      { kind: "phase", title: address.path, opened: { at: "2026-11-15T10:00:00.685Z", journal: 12 } },
      { kind: "tool", name: "sh", args: "npm test", result: "40 passed", failed: false },
    ]);
  });

  test("G10 a step that was stopped says by the time of what", () => {
    const stopped: Draft = { ...completed, status: "stopped", stopped: "timeout" };
    const scope = { path: "quality-loop", attempt: 1 };
    expect(inStep(agentInput, { ...stopped, scope })).toEqual([
      { kind: "error", text: "stopped: quality-loop took longer than it may" },
    ]);
    expect(inStep(agentInput, { ...stopped, scope: null })).toEqual([
      { kind: "error", text: "stopped: the run took longer than it may" },
    ]);
    expect(inStep(agentInput, { ...stopped, stopped: "cancelled" })).toEqual([]);
  });
});

describe("S4 G14 waits", () => {
  const failed: Draft = { ...completed, status: "failed", success: false, exit_code: 1 };
  const id = waitQuestionId(runId, 13);

  test("G14 a wait is a question that says what, where and the commands, and no path of this machine", () => {
    expect(id).toMatch(questionIdPattern);
    expect(inStep(agentInput, failed, blocked)[1]).toEqual({
      kind: "decision_needed",
      id,
      text: [
        "quality-loop[2]/run-tests (attempt 2): exited with 1",
        "in .worktrees/proj-1",
        "- iteration 2: run-tests failed (exit 1)",
        `clew run retry ${runId}`,
        `clew run cancel ${runId}`,
      ].join("\n"),
    });
    const review: Draft = { ...blocked, type: "workflow.merge_pending" };
    expect(inStep(agentInput, failed, review).slice(1)).toMatchObject([
      { kind: "phase", title: "quality-loop[2]/run-tests (attempt 2)" },
      { kind: "approval_required", id },
    ]);
  });

  test("G17 a signal answers it, with the person's words where there are any", () => {
    const after = (signal: Extract<Draft, { type: "run.signal" }>["signal"], taken = true): LogEntry[] =>
      inStep(agentInput, failed, blocked, driven, signalled(signal, taken)).slice(2);
    expect(after({ kind: "retry", inputs: {} })).toEqual([{ kind: "answer", id, text: "retry" }]);
    expect(after({ kind: "retry", inputs: { port: 80, host: "here" } })).toEqual([
      { kind: "answer", id, text: "retry" },
      { kind: "user", text: 'port = 80\nhost = "here"', action: "retry" },
    ]);
    expect(after({ kind: "reject", reason: "too slow" })).toEqual([
      { kind: "answer", id, text: "reject" },
      { kind: "user", text: "too slow", action: "reject" },
    ]);
    expect(after({ kind: "cancel" })).toEqual([{ kind: "answer", id, text: "cancel" }]);
    expect(after({ kind: "retry", inputs: {} }, false)).toEqual([]);
    expect(inStep(agentInput, signalled({ kind: "cancel" }))).toEqual([{ kind: "user", text: "cancel" }]);
  });

  test("S8 how the session stands follows the run", () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const standing = (...drafts: Draft[]): unknown => project(begun(address, agentInput), ...drafts).standing;
    const retried = signalled({ kind: "retry", inputs: {} });
    expect(standing()).toEqual({ status: "active" });
    expect(standing(blocked)).toEqual({ status: "paused" });
    expect(standing(blocked, driven)).toEqual({ status: "paused" });
    expect(standing({ ...blocked, type: "workflow.failed" })).toEqual({
      status: "failed",
      ended: expect.any(String),
      error: "quality-loop[2]/run-tests: exited with 1",
    });
    expect(standing(blocked, driven, retried)).toEqual({ status: "active" });
    expect(standing({ type: "workflow.completed", running_ms: 0, usage })).toEqual({
      status: "completed",
      ended: "2026-11-15T10:00:00.548Z",
    });
    expect(standing({ type: "workflow.cancelled", running_ms: 0, usage })).toMatchObject({ status: "abandoned" });
  });
});
