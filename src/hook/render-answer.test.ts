import { expect, test } from "vitest";
import { hookEngines, type HookAnswer } from "../contract/hook.ts";
import { mergeAnswers } from "./answer.ts";
import { commandAnswer, httpAnswer } from "./render-answer.ts";

const body = (...args: Parameters<typeof httpAnswer>): unknown => JSON.parse(httpAnswer(...args).body || "null");

test("the strictest decision wins, with its own reasons, and all contexts are read", () => {
  const answers: HookAnswer[] = [
    { decision: "allow", reason: "fine", context: "one" },
    { decision: "deny", reason: "no" },
    { decision: "ask", reason: "hm", context: "two" },
    { decision: "deny", reason: "never" },
  ];
  expect(mergeAnswers(...answers, undefined)).toEqual({ decision: "deny", reason: "no\nnever", context: "one\n\ntwo" });
  expect(mergeAnswers({ decision: "allow" }, { decision: "ask" }, { decision: "defer" })).toEqual({
    decision: "defer",
  });
  expect(mergeAnswers()).toEqual({});
});

test("an empty answer says nothing to any engine, at any event", () => {
  for (const engine of hookEngines)
    for (const event of ["PreToolUse", "PostToolUse", "PreCompact", "Stop", "SessionStart", "Other"])
      expect(commandAnswer(engine, event, {})).toEqual({ stdout: "", stderr: "", exitCode: 0 });
});

test("a deny before a tool call is exit 2 with its reason, and JSON over HTTP", () => {
  const answer = { decision: "deny", reason: "never push" } as const;
  for (const engine of hookEngines)
    expect(commandAnswer(engine, "PreToolUse", answer)).toEqual({ stdout: "", stderr: "never push\n", exitCode: 2 });
  expect(body("claude", "PreToolUse", answer)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "never push",
    },
  });
});

test("where a hook cannot ask or rewrite, the call is denied, and never allowed in silence", () => {
  for (const engine of ["codex", "gemini", "opencode"] as const) {
    expect(commandAnswer(engine, "PreToolUse", { decision: "ask", reason: "sure?" })).toMatchObject({ exitCode: 2 });
    expect(commandAnswer(engine, "PreToolUse", { decision: "defer" })).toMatchObject({ exitCode: 2 });
  }
  const rewritten = { decision: "allow", input: { command: "ls" } } as const;
  expect(commandAnswer("qwen", "PreToolUse", rewritten).stderr).toContain('{"command":"ls"}');
  expect(body("claude", "PreToolUse", { decision: "ask", reason: "sure?" })).toMatchObject({
    hookSpecificOutput: { permissionDecision: "ask", permissionDecisionReason: "sure?" },
  });
});

test("an input is rewritten in each engine's own words", () => {
  const answer = { input: { command: "ls" } };
  const rewritten = { permissionDecision: "allow", updatedInput: { command: "ls" } };
  expect(body("codex", "PreToolUse", answer)).toMatchObject({ hookSpecificOutput: rewritten });
  expect(body("claude", "PreToolUse", answer)).toEqual({
    hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "ls" } },
  });
  expect(body("gemini", "PreToolUse", { ...answer, decision: "allow" })).toEqual({
    decision: "allow",
    hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "ls" } },
  });
  // An allow alone is a failure to Codex.
  expect(body("codex", "PreToolUse", { decision: "allow" })).toBeNull();
});

test("an agent is stopped by JSON, but in Codex before a call, where only that is denied", () => {
  const answer = { decision: "deny", reason: "enough", stop: "enough" } as const;
  const { stdout, exitCode } = commandAnswer("claude", "PreToolUse", answer);
  expect([JSON.parse(stdout), exitCode]).toMatchObject([{ continue: false, stopReason: "enough" }, 0]);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  expect(body("codex", "PreToolUse", answer)).toEqual({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "enough" },
  });
  expect(body("codex", "PostToolUse", { stop: "enough" })).toEqual({ continue: false, stopReason: "enough" });
});

test("a compaction is refused, or given words for its summary", () => {
  const refused = { decision: "deny", reason: "not now" } as const;
  expect(commandAnswer("claude", "PreCompact", refused)).toEqual({ stdout: "", stderr: "not now\n", exitCode: 2 });
  expect(body("claude", "PreCompact", refused)).toEqual({ decision: "block", reason: "not now" });
  expect(body("codex", "PreCompact", refused)).toEqual({ continue: false, stopReason: "not now" });
  expect(commandAnswer("qwen", "PreCompact", { context: "keep the plan" }).stdout).toBe("keep the plan\n");
});

test("a permission is answered, and silence lets the engine ask", () => {
  expect(body("claude", "PermissionRequest", { decision: "allow", input: { a: 1 } })).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { a: 1 } } },
  });
  expect(body("codex", "PermissionRequest", { decision: "deny", reason: "no" })).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "deny", message: "no" } },
  });
  expect(body("claude", "PermissionRequest", { decision: "ask" })).toBeNull();
});

test("what an MCP tool answered is replaced", () => {
  expect(body("claude", "PostToolUse", { output: [{ type: "text", text: "hidden" }], context: "c" })).toEqual({
    hookSpecificOutput: {
      hookEventName: "PostToolUse",
      additionalContext: "c",
      updatedMCPToolOutput: [{ type: "text", text: "hidden" }],
    },
  });
  expect(body("gemini", "PostToolUse", { output: { a: 1 } })).toMatchObject({
    hookSpecificOutput: { hookEventName: "AfterTool", tool_output: '{"a":1}' },
  });
});
