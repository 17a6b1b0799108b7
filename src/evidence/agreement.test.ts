import { expect, test } from "vitest";
import { disagreement } from "./agreement.ts";

const sight = { tool: "Bash", command: "npm test", failed: false };

test("H3 a call is evidence when the engine and its hooks tell the same of it", () => {
  const agreeing = { expectsHooks: true, stream: sight, before: sight, after: sight };
  expect(disagreement(agreeing)).toBeUndefined();
  expect(disagreement({ ...agreeing, stream: undefined })).toContain("only a hook tells of it");
  expect(disagreement({ ...agreeing, before: undefined, after: undefined })).toContain("its hooks were not called");
  expect(disagreement({ ...agreeing, before: undefined })).toContain("before it was not called");
  expect(disagreement({ ...agreeing, after: { ...sight, command: "true" } })).toContain("different commands");
  expect(disagreement({ ...agreeing, after: { ...sight, failed: true } })).toContain("do not agree");
});

test("H3 a failure that a hook calls a success is no evidence; one without a hook after it needs none", () => {
  const failing = { expectsHooks: true, stream: { ...sight, failed: true }, before: sight };
  expect(disagreement({ ...failing, after: sight })).toContain("do not agree");
  expect(disagreement({ ...failing, after: undefined })).toBeUndefined();
});

test("H3 where an engine calls no hooks, it is the only witness", () => {
  expect(disagreement({ expectsHooks: false, stream: sight, before: undefined, after: undefined })).toBeUndefined();
});

test("H3 H5 where a rule put another command in its place, what ran is what the hook after it tells", () => {
  const rewritten = {
    expectsHooks: true,
    stream: { ...sight, command: "npm install" },
    before: { ...sight, command: "npm install", becomes: "npm ci" },
    after: { ...sight, command: "npm ci" },
  };
  expect(disagreement(rewritten)).toBeUndefined();
  expect(disagreement({ ...rewritten, after: { ...sight, command: "npm install" } })).toContain("a third");
  expect(disagreement({ ...rewritten, stream: { ...sight, command: "npm ci" } })).toContain("different commands");
  expect(disagreement({ ...rewritten, before: { ...sight, command: "npm install" } })).toContain("different commands");
});
