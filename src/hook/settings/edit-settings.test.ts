import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { addHooks, ownEvents, removeHooks } from "./edit-settings.ts";
import { parseTree } from "./json-tree.ts";
import { listOf, member, objectOf, someOther, space } from "../../../test/support/settings-text.ts";

const isOwn = (words: readonly string[]): boolean => words.some((word) => word.includes("clew hook"));
const element = (event: string): string => `{ "hooks": [{ "type": "command", "command": "clew hook ${event}" }] }`;
const elements = new Map(["PreToolUse", "PostToolUse", "Stop"].map((event) => [event, element(event)]));

const otherElement = fc.constantFrom(
  '{"matcher":"Bash","hooks":[{"type":"command","command":"other"}]}',
  '{"hooks": [{"type": "http", "url": "http://127.0.0.1:1/x"}]}',
  '{ "hooks": [ { "type": "prompt", "prompt": "clew hook?" } ] }',
  "1",
);
const eventList = listOf(otherElement, "[", "]");

const hooksValue = objectOf([member("PreToolUse", eventList), member("Stop", eventList), member("Other", eventList)]);
const settings = fc
  .tuple(
    space,
    objectOf([member("a", someOther), member("hooks", hooksValue), member("z", someOther)]),
    space,
    fc.boolean(),
  )
  .map(([before, object, after, hasMark]) => `${hasMark ? "\ufeff" : ""}${before}${object}${after}`);

describe("H1 an engine's settings", () => {
  test("are the very bytes from before, when our hooks were added and taken out", () => {
    fc.assert(
      fc.property(settings, (text) => {
        const added = addHooks(text, elements, isOwn);
        expect(ownEvents(added, isOwn).sort()).toEqual([...elements.keys()].sort());
        expect(addHooks(added, elements, isOwn)).toBe(added);
        expect(removeHooks(added, isOwn)).toBe(text);
        expect(removeHooks(text, isOwn)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("that were not there are gone again", () => {
    const added = addHooks(undefined, elements, isOwn);
    expect(JSON.parse(added)).toMatchObject({ hooks: { Stop: [{ hooks: [{ command: "clew hook Stop" }] }] } });
    expect(removeHooks(added, isOwn)).toBeUndefined();
  });

  test("keep what others wrote beside and after ours", () => {
    const added = addHooks('{\n  "a": 1\n}\n', elements, isOwn);
    const edited = added.replace(/\n\}\n$/, ',\n  "b": 2\n}\n').replace("[{ ", '[{ "matcher": "x" }, { ');
    expect(removeHooks(edited, isOwn)).toBe(
      '{\n  "a": 1,\n  "hooks": {\n    "PreToolUse": [{ "matcher": "x" }]\n  },\n  "b": 2\n}\n',
    );
  });

  test.each([
    "",
    "{",
    "[]",
    '{"a":}',
    "{} x",
    '{"hooks": []}',
    '{"hooks": {"Stop": {}}}',
    '{"hooks": {}, "hooks": {}}',
    "[".repeat(300),
  ])("that are no such settings are refused: %s", (text) =>
    expect(() => addHooks(text, elements, isOwn)).toThrow(/^line \d+: /),
  );

  test("any text is read in time that grows with its length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        try {
          parseTree(text);
        } catch (error) {
          expect((error as Error).message).toMatch(/^line/);
        }
      }),
    );
    expect(() => parseTree(`{"a": "${"\\\\".repeat(200_000)}`)).toThrow("does not end");
  });
});
