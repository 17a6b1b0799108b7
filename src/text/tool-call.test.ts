import { expect, test } from "vitest";
import { callArgs, callSubject } from "./tool-call.ts";

test.each([
  [{ description: "tests", command: "npm test" }, "npm test"],
  [{ limit: 3, file_path: "a.ts" }, "a.ts"],
  [{ pattern: "x", path: "src" }, "src"],
  [{ command: "", query: "x" }, "x"],
  [{ n: 1, what: "this" }, "this"],
  ["plain", "plain"],
  [{ of: 3 }, undefined],
  [{}, undefined],
  [null, undefined],
  [["a"], undefined],
])("H9 what a call is about: %j", (input, subject) => {
  expect(callSubject(input)).toBe(subject);
});

test.each([
  [{ command: "npm test", description: "x", cwd: "" }, "npm test"],
  [{ command: "npm run dev", run_in_background: true }, 'npm run dev {"run_in_background":true}'],
  [{ command: "npm test", is_background: false, dir_path: "packages/app" }, 'npm test {"dir_path":"packages/app"}'],
  [{ command: "a\nb", cwd: "/x", description: "x" }, '{"command":"a\\nb","cwd":"/x"}'],
  [{ command: 'echo {"cwd":"/x"}' }, '{"command":"echo {\\"cwd\\":\\"/x\\"}"}'],
  [{ file_path: "a.ts", limit: 3 }, 'a.ts {"limit":3}'],
  [{ limit: 3, path: "a.ts" }, 'a.ts {"limit":3}'],
  [{ url: "http://x" }, "http://x"],
  [{ file_path: "a.ts", content: "one\ntwo" }, '{"file_path":"a.ts","content":"one\\ntwo"}'],
  [{ file_path: "a.ts", content: "x".repeat(200) }, `{"file_path":"a.ts","content":"${"x".repeat(200)}"}`],
  [{ of: 3 }, '{"of":3}'],
  [{}, ""],
  ["plain", "plain"],
  [[1], "[1]"],
  [null, "null"],
])("S4 a call's input as people read it: %j", (input, args) => {
  expect(callArgs(input)).toBe(args);
});
