import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../../contract/json.ts";
import type { ExecutionReport } from "../../contract/turn-report.ts";
import { readReport } from "./read-report.ts";
import { writeReport } from "./write-report.ts";

const report: ExecutionReport = {
  format: 1,
  run_summary: {
    status: "PARTIAL",
    turn: "02-branch-01",
    plan_title: "Add the greeting",
    agent: "dev",
    started_at: "2026-11-18T09:00:00.000Z",
    ended_at: "2026-11-18T09:00:04.200Z",
    duration_ms: 4200,
    counts: { success: 1, failure: 0, skipped: 0, denied: 1 },
    memos: { answer: "accepted", by: "user", changes: [{ change: "add", text: "Use pnpm" }] },
  },
  action_log: [
    {
      action: 1,
      type: "EXECUTE",
      description: "look",
      status: "SUCCESS",
      approval: { by: "user", answer: "approve", edited: true },
      parameters: { command: "cat src/a.txt\n  # twice\ncat src/a.txt", expected: "ONE" },
      exit_code: 0,
      output: "ONE\nONE\n",
      duration_ms: 12,
    },
    {
      action: 2,
      type: "READ",
      description: "",
      status: "DENIED",
      parameters: { sources: ["a.txt", "no"] },
      details: "the rule secrets denies it",
      duration_ms: 0,
    },
  ],
};

describe("T5 report.md", () => {
  it("is YAML in one fixed form", () => {
    expect(writeReport(report)).toBe(`format: 1
run_summary:
  status: PARTIAL
  turn: "02-branch-01"
  plan_title: Add the greeting
  agent: dev
  started_at: "2026-11-18T09:00:00.000Z"
  ended_at: "2026-11-18T09:00:04.200Z"
  duration_ms: 4200
  counts:
    success: 1
    failure: 0
    skipped: 0
    denied: 1
  memos:
    answer: accepted
    by: user
    changes:
      - change: add
        text: Use pnpm
action_log:
  - action: 1
    type: EXECUTE
    description: look
    status: SUCCESS
    approval:
      by: user
      answer: approve
      edited: true
    parameters:
      command: |2-
        cat src/a.txt
          # twice
        cat src/a.txt
      expected: ONE
    exit_code: 0
    output: |2
      ONE
      ONE
    duration_ms: 12
  - action: 2
    type: READ
    description: ""
    status: DENIED
    parameters:
      sources:
        - a.txt
        - "no"
    details: the rule secrets denies it
    duration_ms: 0
`);
  });

  it("does not depend on the order in which its fields were put together", () => {
    const turned = {
      action_log: report.action_log.map((action) => Object.fromEntries(Object.entries(action).toReversed())),
      run_summary: Object.fromEntries(Object.entries(report.run_summary).toReversed()),
      format: 1,
    };
    expect(writeReport(turned as unknown as ExecutionReport)).toBe(writeReport(report));
  });

  it("reads back as it was, whatever it holds, also with another reader", () => {
    const odd = fc.constantFrom(
      " a",
      "\ta\n",
      "a\n\n\n",
      "\n",
      "\n\na",
      "a \n ",
      "- a\n- b",
      "a: b\n#c",
      "\r\n",
      "---\nx",
      "\u2028\nx",
      "\u0085a\nb",
      "\u001b[31m\nred",
      "\uFEFFx\ny",
      "x\ny\uFEFF",
      "😀\n\n 😀",
      "\ud800\nx",
      "0x1",
      "1e3",
      "2026-11-18",
      "~",
      "=",
      "<<",
      "null",
      "|2\n",
      "%a",
      "a\n...\nb",
      "x".repeat(200),
      ` ${"y ".repeat(100)}`,
      "\t".repeat(90),
      `z${" ".repeat(90)}`,
    );
    const any = fc
      .array(fc.oneof(odd, fc.string({ unit: "binary" }), fc.string()), { maxLength: 3 })
      .map((parts) => parts.join("\n"));
    const key = fc.oneof(fc.constantFrom("path", "content", "a-b", "_", "true", "1", ""), fc.string({ maxLength: 20 }));
    const value: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        any,
        fc.boolean(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(key, tie("json"), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).json;
    const parameters = fc
      .dictionary(key, value, { maxKeys: 3, noNullPrototype: true })
      .filter((record) => !JSON.stringify(record).includes("__proto__"));
    fc.assert(
      fc.property(any, any, parameters, (text, output, record) => {
        const [first] = report.action_log;
        const written: ExecutionReport = {
          ...report,
          run_summary: { ...report.run_summary, plan_title: text, details: output },
          action_log: [{ ...first!, description: text, output, parameters: record, reply: text }],
        };
        const yaml = writeReport(written);
        expect(parse(yaml, { logLevel: "silent" })).toEqual(written);
        expect(readReport(yaml)).toEqual({ report: written, problems: [] });
        expect(parse(yaml, { version: "1.1", logLevel: "silent" })).toEqual(written);
      }),
      { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 200) },
    );
  });

  it("that is none has problems with their lines", () => {
    expect(readReport("a: [").problems[0]).toMatchObject({ line: 1, file: "report.md" });
    expect(readReport("").problems).toHaveLength(1);
    const wrong = writeReport(report)
      .replace("status: SUCCESS", "status: FINE")
      .replace("duration_ms: 12", "duration_ms: x");
    expect(readReport(wrong).problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      "25: action_log.0.status: must be one of SUCCESS, FAILURE, SKIPPED, DENIED",
      "40: action_log.0.duration_ms: must be a number",
    ]);
    expect(readReport("[".repeat(100_000)).problems.length).toBeGreaterThan(0);
  });
});
