import { expect, test } from "vitest";
import type { EvidenceSight } from "../../contract/evidence.ts";
import { connectedCalls } from "./connected-calls.ts";

const at = "2026-11-18T03:00:00.000Z";
const before: EvidenceSight = {
  v: 1,
  type: "sight",
  at,
  run: "r",
  step: "build",
  attempt: 1,
  engine: "claude",
  transcript: "/t",
  isAfter: false,
  tool: "Bash",
  tool_use_id: "t-1",
  command: "npm test",
  folder: "/repo",
  failed: false,
  exit: null,
  tree: "a",
};
const after: EvidenceSight = { ...before, isAfter: true, exit: 0 };
const told = { tool: "Bash", command: "npm test", failed: false, folder: "/repo", endedAt: at };

test("H3 hooks and transcript that agree are evidence, once for each call", () => {
  const [call, ...more] = connectedCalls([before, after, after], () => told);
  expect(more).toEqual([]);
  expect(call).toMatchObject({ exit: 0, tree: "a", witnesses: ["transcript", "hook"] });
  expect(call).not.toHaveProperty("problem");
});

test("H3 H4 a call of another folder, of an earlier time, or that failed is no evidence, whatever a hook tells", () => {
  const problemWith = (other: object): string | undefined =>
    connectedCalls([before, after], () => ({ ...told, ...other }))[0]!.problem;
  expect(problemWith({ folder: "/other" })).toContain("ran in /other");
  expect(problemWith({ endedAt: "2026-11-18T02:00:00.000Z" })).toContain("ended at");
  expect(problemWith({ failed: true })).toContain("do not agree");
});

test("H3 H5 the evidence of a call that a rule rewrote is of what ran", () => {
  const asked = { ...before, command: "make check", becomes: "npm test" };
  const [call] = connectedCalls([asked, after], () => ({ ...told, command: "make check" }));
  expect(call).toMatchObject({ command: "npm test", exit: 0 });
  expect(call).not.toHaveProperty("problem");
  const [other] = connectedCalls([asked, { ...after, command: "true" }], () => ({ ...told, command: "make check" }));
  expect(other!.problem).toContain("a third");
});
