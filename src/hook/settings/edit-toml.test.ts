import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addTomlServer, hasTomlServer, removeTomlServer } from "./edit-toml.ts";
import { tomlKeys } from "./toml-tables.ts";

const program = ["/usr/bin/node", "/my 'own' \"tools\"/clew.cjs", "mcp"];

/** Lines as people write them in such a file. */
const line = fc.constantFrom(
  "",
  "# [mcp_servers.clew]",
  'model = "x" # mine',
  "[features]",
  "[[rules]] # one",
  "[mcp_servers.other]",
  'args = ["mcp", # first',
  "  \"]\", '['",
  "]",
  'note = """',
  "[mcp_servers.clew]",
  '""""',
  "lit = '''a'b'''",
  "a.\"b c\".d = { x = [1, 2], y = '}' }",
  "\t",
);
const settings = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.boolean())
  .map(([lines, eol, isEnded, hasMark]) => (hasMark ? "\ufeff" : "") + lines.join(eol) + (isEnded ? eol : ""));

describe("H7 the settings of Codex", () => {
  test("are the very bytes from before, when our server was added and taken out", () => {
    let taken = 0;
    fc.assert(
      fc.property(settings, (text) => {
        const keys = attempted(() => tomlKeys(text));
        fc.pre(keys !== undefined && keys.every(({ name }) => name[1] !== "clew"));
        taken += 1;
        const added = addTomlServer(text, program);
        expect(hasTomlServer(added)).toBe(true);
        expect(added.startsWith(text)).toBe(true);
        expect(addTomlServer(added, ["clew", "mcp"])).toBe(added);
        expect(removeTomlServer(added)).toBe(text);
        expect(removeTomlServer(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  test("that were not there are gone again, and what others wrote behind ours stays", () => {
    const added = addTomlServer(undefined, program);
    expect(added).toContain(
      '\n[mcp_servers.clew]\ncommand = "/usr/bin/node"\nargs = ["/my \'own\' \\"tools\\"/clew.cjs", "mcp"]\n',
    );
    expect(removeTomlServer(added)).toBeUndefined();
    expect(removeTomlServer(`${added}[other]\na = 1\n`)).toBe("[other]\na = 1\n");
  });

  test("are read with comments between the texts of a list", () => {
    const own =
      "[mcp_servers.clew]\ncommand = 'node'\nargs = [ # 'not', this\n  \"/a \\\"b\\\"/clew.cjs\", # nor \"this\"\n  'mcp',\n]\n";
    expect(hasTomlServer(own)).toBe(true);
  });

  test("may have our server as codex writes it: it stays, and nobody adds another", () => {
    const own = 'model = "x"\n\n[mcp_servers.clew]\ncommand = "clew"\nargs = ["mcp"]\n';
    expect(addTomlServer(own, program)).toBe(own);
    expect(removeTomlServer(own)).toBe(own);
  });

  test.each([
    ['[mcp_servers.clew]\ncommand = "other"\n', "line 1: the MCP server"],
    ['mcp_servers.clew.command = "other"\n', "line 1: the MCP server"],
    ['a = 1\nmcp_servers = { clew = { command = "x" } }\n', "line 2: mcp_servers stands in one line"],
    ["a = [1,\n2\n", "line 3: a list that does not end"],
    ['a = "x\n', "line 1: a text that does not end"],
    ["[a\n", 'line 1: "]" is missing'],
    ["= 1\n", "line 1: no key of TOML"],
  ])("in which ours cannot stand are refused: %j", (text, problem) =>
    expect(() => addTomlServer(text, program)).toThrow(problem),
  );

  test("a block without its end is left alone", () => {
    const added = addTomlServer("a = 1\n", program).replace(/# <<<.*\n/, "");
    expect(() => removeTomlServer(added)).toThrow("line 3: the block of Clew has no end");
  });

  test("any text is read, in time that grows with its length", () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void attempted(() => tomlKeys(text))));
    expect(tomlKeys(`a = "${String.raw`\"`.repeat(200_000)}"`)).toHaveLength(1);
    expect(() => tomlKeys("'".repeat(200_001))).toThrow("line 1");
  });
});

function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    expect((error as Error).message).toMatch(/^line \d+: /);
    return undefined;
  }
}
