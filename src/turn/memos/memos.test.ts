import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { changeMemos } from "./change-memos.ts";
import { readMemos } from "./read-memos.ts";

const add = (text: string) => ({ change: "add" as const, text });
const remove = (text: string) => ({ change: "remove" as const, text });

function changed(text: string | undefined, ...changes: Parameters<typeof changeMemos>[1]): string {
  const result = changeMemos(text, changes);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.text;
}

const file = `# What we agreed on.
- Use 'pnpm' for all package management.   # since May

- "All API endpoints: documented"
# Old:
- 'It''s done'
- |
  Many
  lines
- Use npm
# The end.
`;

describe("T6 memos", () => {
  it("are read in their order; no file, and an empty one, have none", () => {
    expect(readMemos(file).memos).toEqual([
      "Use 'pnpm' for all package management.",
      "All API endpoints: documented",
      "It's done",
      "Many\nlines\n",
      "Use npm",
    ]);
    for (const text of [undefined, "", "# nothing yet\n", "[]\n", "---\n"])
      expect(readMemos(text)).toEqual({ memos: [], problems: [] });
  });

  it("are added behind the last, and removed by exact text; all else stays byte for byte", () => {
    expect(changed(file, remove("Use npm"), add("Use yarn"), remove("It's done"))).toBe(
      file.replace("- 'It''s done'\n", "").replace("- Use npm\n", "- Use yarn\n"),
    );
    expect(changed(file, remove("Many\nlines\n"))).toBe(file.replace("- |\n  Many\n  lines\n", ""));
    expect(changed(undefined, add("One: two # three"), add("yes"))).toBe('- "One: two # three"\n- "yes"\n');
    expect(changed("# c\n", add("a"))).toBe("# c\n- a\n");
    expect(changed("  - a\r\n  - b", add("c"))).toBe("  - a\r\n  - b\r\n  - c");
    expect(changed("- a\n- b", remove("b"))).toBe("- a\n");
    expect(changed("[a, 'b c', d] # x\n", remove("a"), add("e, f"))).toBe("['b c', d, \"e, f\"] # x\n");
  });

  it("that change nothing are named", () => {
    const result = changeMemos("- a\n", [add("a"), remove("A"), add("b"), add("b")]);
    expect(result).toEqual({
      text: "- a\n- b\n",
      ignored: ["it is there already", "it is not there", undefined, "it is there already"],
    });
    expect(changeMemos("- a", [add("a")])).toEqual({ text: "- a", ignored: ["it is there already"] });
  });

  it.each([
    ["a mapping", "a: b\n", 1],
    ["a number", "- a\n- 12\n", 2],
    ["a list in it", "- a\n- - b\n", 2],
    ["a mapping in it", "- a\n- b: c\n", 2],
    ["nothing in it", "- a\n-\n", 2],
    ["an alias", "- &x a\n- *x\n", 2],
    ["text", "hello\n", 1],
    ["an open quote", "- a\n- 'b\n", 3],
    ["two documents", "- a\n---\n- b\n", 2],
  ])("in a file with %s are refused, with the line", (_, text, line) => {
    const { memos, problems } = readMemos(text);
    expect(memos).toBeUndefined();
    expect(problems[0]!.line).toBe(line);
    expect(changeMemos(text, [add("x")])).toEqual({ problems });
  });

  it("are as before but for what changed, whatever they hold", () => {
    const memo = fc
      .oneof(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.constantFrom("- a", "# b", "true", "a: b", "|", "---", "~"),
      )
      .map((text) => text.replaceAll("\n", " ").trim().toWellFormed())
      .filter((text) => text !== "");
    fc.assert(
      fc.property(fc.uniqueArray(memo, { maxLength: 6 }), fc.uniqueArray(memo, { maxLength: 4 }), (memos, others) => {
        const text = memos.length === 0 ? "" : stringify(memos, { lineWidth: 0 });
        expect(readMemos(text).memos).toEqual(memos);
        const fresh = others.filter((each) => !memos.includes(each));
        const both = changed(text, ...fresh.map(add));
        expect(both.startsWith(text)).toBe(true);
        expect(readMemos(both).memos).toEqual([...memos, ...fresh]);
        expect(changed(both, ...fresh.map(remove))).toBe(text);
      }),
    );
  });
});
