import fc from "fast-check";
import { expect, test } from "vitest";
import { readContextLog, writeContextLog, type ContextLog } from "./context-log.ts";

const log: ContextLog = {
  system: "You plan.\n",
  memos: ["Use pnpm"],
  report: { turn: "01", text: "run_summary:\n  status: SUCCESS\n" },
  files: [
    { path: "src/a.md", content: "~~~~~~\ncode\n~~~~~~~~\n" },
    { path: "logo.png", omitted: "binary, 12 KB" },
    { path: "empty", content: "" },
  ],
  missing: ["gone.txt"],
  message: "Say hello",
};

test("T3 the log is laid out for people, and its fence is longer than any inside", () => {
  const fence = "~".repeat(9);
  expect(writeContextLog(log)).toBe(`# Clew context 1, fences of 9 tildes

## System
${fence}
You plan.
${fence}

## Memos
${fence}
- Use pnpm
${fence}

## Report of turn 01
${fence}
run_summary:
  status: SUCCESS
${fence}

## Files

### src/a.md
${fence}
~~~~~~
code
~~~~~~~~
${fence}

### logo.png
not shown: binary, 12 KB

### empty
${fence} (no newline at the end)

${fence}

## Missing files
${fence}
- gone.txt
${fence}

## Message
${fence} (no newline at the end)
Say hello
${fence}
`);
});

const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("~~~~~~", "~~~~~~~", "## Message", "## Files", "### a", "", "none", "\r", "- x", '"', "not shown: x"),
);
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
const anyLog: fc.Arbitrary<ContextLog> = fc.record(
  {
    system: text,
    memos: fc.array(text, { maxLength: 3 }),
    report: fc.record({ turn: fc.constantFrom("01", "02-branch-01-03"), text }),
    files: fc.array(fc.oneof(fc.record({ path: text, content: text }), fc.record({ path: text, omitted: text })), {
      maxLength: 3,
    }),
    missing: fc.array(text, { maxLength: 3 }),
    message: text,
  },
  { requiredKeys: ["system", "memos", "files", "missing", "message"] },
);

test("T3 whatever is inside, a log reads back the same", () => {
  fc.assert(
    fc.property(anyLog, (each) => {
      const written = writeContextLog(each);
      expect(written.endsWith("\n")).toBe(true);
      expect(readContextLog(written)).toEqual(each);
    }),
    { numRuns: 500 },
  );
});

test("what is no log is none, however it ends", () => {
  const whole = writeContextLog(log);
  for (let end = 0; end < whole.length; end += 7) expect(readContextLog(whole.slice(0, end))).toBe(undefined);
  for (const other of [
    "",
    "# Clew context 1, fences of 999999999 tildes\n",
    `${whole}x`,
    whole.replace("Files", "File"),
  ]) {
    expect(readContextLog(other)).toBe(undefined);
  }
});
