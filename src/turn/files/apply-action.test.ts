import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileAction } from "../../contract/plan.ts";
import { applyAction, tryAction } from "./apply-action.ts";
import { Overlay, type FileText } from "./overlay.ts";

const common = { line: 7, description: "", may_fail: false };

function edit(...pairs: [find: string, replace: string][]): FileAction {
  const edits = pairs.map(([find, replace], index) => ({ find, replace, line: 10 * (index + 1) }));
  return { type: "EDIT", path: "a.txt", edits, ...common };
}

function create(content: string, overwrite = false): FileAction {
  return { type: "CREATE", path: "a.txt", content, overwrite, ...common };
}

/** What an action makes of a file, or why it does nothing. */
function result(before: FileText, action: FileAction): string {
  const outcome = tryAction(new Overlay(() => before), action);
  return "edit" in outcome
    ? outcome.edit.after
    : outcome.refusals.map(({ line, reason }) => `${line}: ${reason}`).join("\n");
}

describe("T5 the files of a plan", () => {
  it("are those that earlier actions leave, and are read once", () => {
    const asked: string[] = [];
    const overlay = new Overlay((path) => {
      asked.push(path);
      return undefined;
    });
    expect(overlay.edits()).toEqual([]);
    applyAction(overlay, create("one\n"));
    applyAction(overlay, edit(["one", "two"]));
    expect(applyAction(overlay, create("three\n"))).toHaveProperty("refusals");
    expect(overlay.edits()).toEqual([{ path: "a.txt", before: undefined, after: "two\n" }]);
    applyAction(overlay, create("", true));
    expect(overlay.read("a.txt")).toBe("");
    expect(asked).toEqual(["a.txt"]);
  });

  it("that a reader refuses are refused, in its words", () => {
    expect(result({ refused: "leads through a link" }, create("x"))).toBe("7: a.txt: leads through a link");
    expect(result({ refused: "is no text" }, edit(["a", "b"]))).toBe("7: a.txt: is no text");
  });

  it("are not created a second time, unless that is meant", () => {
    expect(result("old\n", create("new\n"))).toContain("is there already");
    expect(result("old\n", create("new\n", true))).toBe("new\n");
    expect(result("", create("new\n"))).toContain("is there already");
    expect(result(undefined, edit(["a", "b"]))).toContain("is not there");
  });
});

describe("T5 an edit", () => {
  it("finds its text as the edits before it left the file", () => {
    expect(result("one two\n", edit(["one", "two three"], ["two three", "x"]))).toBe("x two\n");
    expect(result("a\nb\n", edit(["a", "b"], ["b", "c"]))).toContain(
      "20: a.txt: FIND stands in it 2 times, in lines 1, 2",
    );
  });

  it("takes its text as it is: no sign in it has a meaning", () => {
    expect(result("a.c $& \\1\n", edit(["a.c", "$& $1 $` $'"]))).toBe("$& $1 $` $' $& \\1\n");
  });

  it("leaves everything else: byte order mark, line ends, the end of the file", () => {
    expect(result("\uFEFFone\ntwo", edit(["one", "ONE"]))).toBe("\uFEFFONE\ntwo");
    expect(result("one\r\ntwo\r\nthree", edit(["one\ntwo", "1\n2"]))).toBe("1\r\n2\r\nthree");
    expect(result("one\r\ntwo\nthree\r\n", edit(["two", "2\n2"]))).toBe("one\r\n2\n2\nthree\r\n");
    expect(result("a\nb\nc\n", edit(["b\n", ""]))).toBe("a\nc\n");
  });

  it("counts places that overlap", () => {
    expect(result("aaa", edit(["aa", "b"]))).toContain("2 times");
    expect(result("x\n".repeat(50), edit(["x", "y"]))).toMatch(/50 times, in lines 1, 2, .*10 and 40 more/);
  });

  const file = "function a() {\n\tconst one = 1;\n  return one;   \n}\n\nfunction b() {}\n";
  const closest: [find: string, told: string][] = [
    ["    const one = 1;", "line 2 differ only in the indentation\n  the file, line 2: →const one = 1;\n  FIND:"],
    ["return one;\n}", "lines 3 to 4 differ only in blanks at the ends of lines"],
    ["function  b()", "line 6 differ only in blanks"],
    ["Function A()", "line 1 differ only in upper and lower case"],
    [
      "function a() {\n\tconst two = 1;\n  return one;",
      "closest is lines 1 to 3 (2 of 3 lines are the same)\n  the file, line 2: →const one = 1;\n  FIND:             →const two = 1;",
    ],
    ["const ones = 12;", "closest is line 2"],
    ["nothing of the kind", "FIND stands nowhere in it, nor anything like it"],
  ];
  it.each(closest)("that does not find %j says what is closest", (find, told) => {
    expect(result(file, edit([find, ""])).replaceAll("differs", "differ")).toContain(told);
  });

  it("says that line ends differ in a file that has both", () => {
    expect(result("one\r\ntwo\r\nthree\n", edit(["one\ntwo", ""]))).toContain("only in the line ends");
    expect(result("", edit(["one", ""]))).toContain("the file is empty");
  });

  it("tells all that it does not find", () => {
    const told = result("one\n", edit(["x", ""], ["one", "1"], ["y", ""]));
    expect(told).toMatch(/^10: .*\n30: /);
  });

  it("T5 replaces exactly what it found, or refuses", () => {
    const small = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", " ", "é"), maxLength: 12 });
    fc.assert(
      fc.property(small, small, small, (text, find, replace) => {
        const outcome = tryAction(new Overlay(() => text), edit([find, replace]));
        const isCrlf = text.includes("\n") && !text.replaceAll("\r\n", "").includes("\n");
        const ends = (value: string) => (isCrlf ? value.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : value);
        let count = 0;
        for (let at = 0; at < text.length; at++) if (find !== "" && text.startsWith(ends(find), at)) count++;
        expect("edit" in outcome).toBe(count === 1);
        if ("edit" in outcome) {
          const [before, after] = text.split(ends(find));
          expect(outcome.edit.after).toBe(`${before}${ends(replace)}${after}`);
        } else expect(outcome.refusals[0]!.line).toBe(10);
      }),
    );
  });

  it("T5 ends, also on files and texts that are all alike", () => {
    const lines = "  same line\n".repeat(50_000);
    expect(result(lines, edit(["same line\n".repeat(1000), ""]))).toContain("only in the indentation");
    expect(result(lines, edit([`${"x same line\n".repeat(1000)}y`, ""]))).toContain("FIND stands nowhere");
    expect(result("a".repeat(1_000_000), edit([`${"a".repeat(50_000)}b`, ""]))).toContain("FIND stands nowhere");
  });
});
