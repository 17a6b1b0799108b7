import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan, PlannedAction } from "../../contract/plan.ts";
import { problemPictures } from "./problem-picture.ts";
import { readPath } from "./plan-path.ts";
import { readPlan } from "./read-plan.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { readResearchLine } from "./sources.ts";
import { writePlan } from "./write-plan.ts";

const runs = (usual: number) => ({ numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? usual) });

const spice = fc.constantFrom(
  "~~~",
  "~~~~~~",
  "~~~~~~sh",
  "```",
  "`````js",
  "#",
  "## Rationale",
  "### `EDIT`",
  "- **Goal:** x",
  "",
  "---",
  "\r",
);
/** Texts with what could be taken for a plan's own signs. */
const text = fc
  .array(fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), spice), { maxLength: 8 })
  .map((lines) => lines.join("\n"))
  .filter((value) => findMark(value) === undefined);
const filled = text.filter((value) => value.trim() !== "");
const line = fc
  .oneof(fc.string({ unit: "binary", maxLength: 20 }), spice)
  .map((value) => value.replaceAll("\n", " ").trim())
  .filter((value) => value !== "");
const path = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("src/a.txt", "a b/[id].tsx", "`x`", "- a", "#a", "a](/b"),
  )
  // A path stands on one line, and what begins with ! takes one out of a list.
  .filter((value) => !/[\n\r]/.test(value) && !value.trimStart().startsWith("!"))
  .map((value) => readPath(value))
  .filter((read) => "path" in read)
  .map(({ path: read }) => read)
  .filter((value) => findMark(value) === undefined && "path" in readPath(value) && !value.startsWith("!"));
const source = fc.oneof(
  path.map((value) => ({ kind: "path" as const, text: value })),
  fc.webUrl().map((value) => ({ kind: "url" as const, text: value })),
  line
    .filter((value) => findMark(value) === undefined)
    .map((value) => ({ kind: "query" as const, text: value }))
    .filter((value) => readResearchLine(`Query: ${value.text}`) !== undefined),
);
const one = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 });
const edit = fc.record({ find: text.filter((value) => value !== ""), replace: text, line: fc.constant(0) });
const action = fc.oneof(
  fc.record({
    type: fc.constant("CREATE" as const),
    path,
    content: text.map((value) => (value === "" ? "" : `${value}\n`)),
    overwrite: fc.boolean(),
  }),
  fc.record({ type: fc.constant("EDIT" as const), path, edits: one(edit) }),
  fc.record({ type: fc.constant("READ" as const), sources: one(path) }),
  fc.record({ type: fc.constant("RESEARCH" as const), sources: one(source) }),
  fc.record(
    {
      type: fc.constant("EXECUTE" as const),
      command: filled.filter((value) => !value.includes("\0")),
      expected: line,
      cwd: path,
      timeout_ms: fc.integer({ min: 1, max: 2_592_000_000 }),
    },
    { requiredKeys: ["type", "command"] },
  ),
  fc.record({ type: fc.constant("CHAT_WITH_USER" as const), text: filled }),
  fc.record({ type: fc.constant("INVOKE" as const), agent: fc.constantFrom("dev", "a.b-c_1"), text: filled }),
);
const planned: fc.Arbitrary<PlannedAction> = fc
  .tuple(action, fc.oneof(line, fc.constant("")), fc.boolean())
  .map(([what, description, mayFail]) => ({ ...what, line: 0, description, may_fail: mayFail }));
const plan: fc.Arbitrary<Plan> = fc.record(
  {
    title: line,
    status: line,
    plan_type: line,
    agent: line,
    goal: line,
    rationale: text,
    vault: fc.uniqueArray(
      fc
        .oneof(
          path,
          path.map((value) => `!${value}`),
        )
        .filter((value) => !value.startsWith("!!")),
    ),
    memos: fc.uniqueArray(fc.record({ change: fc.constantFrom("add" as const, "remove" as const), text: line }), {
      selector: (memo) => memo.text,
    }),
    actions: one(planned),
  },
  { requiredKeys: ["title", "rationale", "vault", "memos", "actions"] },
);

const withoutLines = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === "line" ? 0 : part)));

describe("T4 laws of plans", () => {
  it("what writePlan writes reads back the same, whatever is in it", () => {
    fc.assert(
      fc.property(plan, (written) => {
        const markdown = writePlan(written);
        const { plan: read, problems } = readPlan(markdown);
        expect(problems).toEqual([]);
        expect(withoutLines(read)).toEqual(withoutLines(written));
        expect(writePlan(read!)).toBe(markdown);
      }),
      runs(300),
    );
  });

  it("no text makes the reader fail; each problem has a place in the text, and a picture", () => {
    const lines = fc.array(
      fc.oneof(
        spice,
        fc.string({ unit: "binary", maxLength: 10 }),
        fc.constantFrom("# T", "## Action Plan", "### CREATE", "#### FIND:", "- File Path: a", "[+] x"),
      ),
      { maxLength: 30 },
    );
    const broken = fc.tuple(plan, fc.array(fc.tuple(fc.nat(), spice), { maxLength: 4 })).map(([written, changes]) => {
      const all = writePlan(written).split("\n");
      for (const [at, by] of changes) all.splice(at % all.length, at % 2, by);
      return all;
    });
    fc.assert(
      fc.property(fc.oneof(lines, broken), (all) => {
        const markdown = all.join("\n");
        const { plan: read, problems } = readPlan(markdown);
        const split = markdown.split("\n");
        expect(read === undefined).toBe(problems.some(({ severity }) => severity === "error"));
        for (const problem of problems) {
          expect(problem.line).toBeGreaterThan(0);
          expect(problem.line).toBeLessThanOrEqual(split.length);
          expect(problem.column).toBeGreaterThan(0);
          expect(problem.column).toBeLessThanOrEqual([...split[problem.line - 1]!].length + 1);
        }
        expect(problemPictures(markdown, problems)).toHaveLength(problems.length);
      }),
      runs(600),
    );
  });

  it.each([
    ["fences that are never closed", (count: number) => "~~~x\n### CREATE\n".repeat(count)],
    [
      "fences that get longer",
      (count: number) => Array.from({ length: count }, (_, at) => "~".repeat(3 + (at % 300))).join("\n"),
    ],
    ["unknown keys", (count: number) => "### CREATE\n- **Fil Pth:** x\n".repeat(count)],
    ["blank lines", (count: number) => "\n \n".repeat(count)],
    ["one long line", (count: number) => `- ${"**a: `[".repeat(count)}`],
    ["many bullets with more lines", (count: number) => "- a\n  b\n  c\n".repeat(count)],
    ["empty fences", (count: number) => "```\n\n# a\n".repeat(count)],
  ])("a large text of %s is read", (_, make) => {
    const problems = readPlan(`# T\n## Action Plan\n${make(20_000)}`).problems;
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(1001);
  });
});
