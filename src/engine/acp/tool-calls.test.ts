import { describe, expect, test } from "vitest";
import { actionOf, inputOf, nameOf, outputOf } from "./tool-calls.ts";

describe("W4 the name of a tool", () => {
  test.each([
    ["run_shell_command", { _meta: { toolName: "run_shell_command" }, kind: "execute" }, undefined],
    ["Write", { _meta: { claudeCode: { toolName: "Write" } } }, undefined],
    ["Edit", { name: "Edit", kind: "edit" }, undefined],
    ["bash", { kind: "execute", title: "ls -l" }, "bash"],
    ["write_file", { toolCallId: "write_file__call_1", kind: "edit" }, "Writing to a.txt"],
    ["edit", { toolCallId: "call_1", kind: "edit" }, "Editing files"],
    ["tool", {}, undefined],
  ])("W4 %s", (name, call, announced) => {
    expect(nameOf(call, announced)).toBe(name);
  });
});

describe("W4 what a tool was given and gave", () => {
  test("W4 its input, or what stands for it", () => {
    expect(inputOf({ rawInput: { a: 1 }, title: "x" })).toEqual({ a: 1 });
    expect(inputOf({ rawInput: {}, kind: "execute", title: "ls" })).toEqual({ command: "ls" });
    expect(inputOf({ kind: "read", locations: [{ path: "/a" }] })).toEqual({ file_path: "/a" });
    expect(inputOf({ title: "Looking" })).toEqual({ title: "Looking" });
    expect(inputOf({})).toEqual({});
  });

  test("W4 its texts, its changes, or what the model got", () => {
    const text = { type: "content", content: { type: "text", text: "seen" } };
    const picture = { type: "content", content: { type: "image" } };
    const diff = { type: "diff", path: "/a", oldText: "same\nold\nend\n", newText: "same\nnew\nmore\nend\n" };
    expect(outputOf({ content: [text, picture, diff, { type: "terminal" }] })).toBe(
      "seen\n[image]\n/a:\n-old\n+new\n+more",
    );
    expect(outputOf({ content: [], rawOutput: { output: "raw" } })).toBe("raw");
    expect(outputOf({ rawOutput: "words" })).toBe("words");
    expect(outputOf({ rawOutput: { exit: 0 } })).toBe("");
    expect(outputOf({ content: [{ type: "diff", oldText: null, newText: "a\n" }] })).toBe("unknown:\n+a");
  });
});

describe("H9 what a call would do", () => {
  test.each([
    [
      { kind: "execute", rawInput: { command: "ls" }, title: "List" },
      { kind: "run", command: "ls" },
    ],
    [
      { kind: "execute", rawInput: { command: ["bash", "-c", "ls"] } },
      { kind: "run", command: "bash -c ls" },
    ],
    [
      { kind: "execute", title: "npm test" },
      { kind: "run", command: "npm test" },
    ],
    // What was cut off may do anything; so may what is not told.
    [{ kind: "execute", title: "echo a very long comm…" }, undefined],
    [{ kind: "execute", rawInput: { command: ["ls", 1] } }, undefined],
    [{ kind: "execute" }, undefined],
    [
      {
        kind: "edit",
        locations: [{ path: "/a" }],
        content: [{ type: "diff", path: "/b" }],
        rawInput: { filePath: "/a" },
      },
      { kind: "edit", paths: ["/a", "/b"] },
    ],
    [
      { kind: "delete", rawInput: { path: "/a" } },
      { kind: "edit", paths: ["/a"] },
    ],
    [{ kind: "edit" }, { kind: "edit", paths: [] }],
    [
      { kind: "read", locations: [{ path: "/a" }] },
      { kind: "read", paths: ["/a"] },
    ],
    [{ kind: "search", title: "everything" }, undefined],
    [{ kind: "fetch", title: "https://example.org" }, undefined],
  ])("H9 %j", (call, action) => {
    expect(actionOf(call, "tool")).toEqual(action);
  });

  test("H9 only the tool that takes results hands one in", () => {
    const names = ["mcp__clew__submit_result", "mcp_clew_submit_result", "clew_submit_result"];
    expect(names.map((name) => actionOf({ kind: "other" }, name))).toEqual(names.map(() => ({ kind: "result" })));
    expect(actionOf({ kind: "other" }, "mcp_other_submit_result")).toBeUndefined();
  });
});
