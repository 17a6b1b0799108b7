import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addHooks, removeHooks } from "./edit-settings.ts";
import { engineServers } from "./engine-servers.ts";
import { listOf, member, objectOf, someOther, space } from "../../../test/support/settings-text.ts";

const program = ["/usr/bin/node", "/opt/clew.cjs", "mcp"];
const otherServer = fc.constantFrom(
  '"other": {"command": "x", "args": ["mcp"]}',
  '"web":{ "url": "http://127.0.0.1:1/" }',
);
const servers = listOf(otherServer, "{", "}").filter((text) => !/"(other|web)".*"\1"/s.test(text));
const isHook = (words: readonly string[]): boolean => words.some((word) => word.includes("clew hook"));
const hooks = new Map([["Stop", '{ "hooks": [{ "type": "command", "command": "clew hook stop" }] }']]);

const settingsWith = (group: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      space,
      objectOf([member("a", someOther), member(group, servers), member("z", someOther)]),
      space,
      fc.boolean(),
    )
    .map(([before, object, after, hasMark]) => `${hasMark ? "\ufeff" : ""}${before}${object}${after}`);

describe.each([
  ["claude", "mcpServers"],
  ["gemini", "mcpServers"],
  ["opencode", "mcp"],
] as const)("H7 the settings of %s", (engine, group) => {
  const { add, remove, has } = engineServers[engine];

  test("are the very bytes from before, when our server was added and taken out", () => {
    fc.assert(
      fc.property(settingsWith(group), (text) => {
        const added = add(text, program);
        expect([has(text), has(added)]).toEqual([false, true]);
        expect(add(added, program)).toBe(added);
        expect(add(added, ["clew", "mcp"])).toBe(added);
        expect(remove(added)).toBe(text);
        expect(remove(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("keep their bytes beside our hooks, whichever goes first", () => {
    fc.assert(
      fc.property(fc.option(settingsWith(group), { nil: undefined }), (text) => {
        const both = add(addHooks(text, hooks, isHook), program);
        expect(removeHooks(remove(both)!, isHook)).toBe(text);
        expect(remove(removeHooks(both, isHook)!)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("that were not there are gone again", () => {
    const added = add(undefined, program);
    expect(Object.keys(JSON.parse(added) as object)).toEqual([group]);
    expect(remove(added)).toBeUndefined();
  });

  test.each([
    `{"${group}": []}`,
    `{"${group}": {"clew": {"command": "other"}}}`,
    `{"${group}": {"clew": 1}}`,
    "[]",
    "",
  ])("in which ours cannot stand are refused: %s", (text) => expect(() => add(text, program)).toThrow(/^line 1: /));
});
