import { expect, test } from "vitest";
import type { Json } from "../contract/json.ts";
import { KeepingDesk } from "./desk.fixture.ts";
import { deskTools } from "./submit-result.ts";

const deep = (levels: number): Json => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as Json;

test("H7 the tool is described so that every engine shows it and none need ask", async () => {
  const desk = new KeepingDesk();
  const tools = deskTools(desk);
  expect(await tools.list()).toEqual([
    expect.objectContaining({
      name: "submit_result",
      inputSchema: desk.schema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: { "anthropic/alwaysLoad": true },
    }),
  ]);
  expect(tools.instructions).toContain("submit_result");
});

test("H7 a valid result is accepted at once, as text and as structure; the last one counts", async () => {
  const desk = new KeepingDesk();
  const results = [
    { success: false, summary: "The tests fail." },
    { success: true, summary: "Done.", outputs: { files: 1 } },
  ];
  for (const result of results) {
    expect(await deskTools(desk).call("submit_result", result)).toEqual({
      content: [{ type: "text", text: '{"accepted":true}' }],
      structuredContent: { accepted: true },
    });
  }
  expect(desk.results).toEqual(results);
});

test.each<[Json, string]>([
  [{}, "the result has no success: true or false"],
  [{ success: "yes", summary: "x" }, "the result has no success: true or false"],
  [{ success: true }, "the result has no summary"],
  [{ success: true, summary: " " }, "the result has no summary"],
  [{ success: true, summary: 7 }, "the result has no summary"],
  [{ success: true, summary: "x", outputs: [1] }, "the result has outputs that are no object"],
  ['{"success": true, "summary": "x"}', "the result must be a JSON object with success and summary"],
  [null, "the result must be a JSON object with success and summary"],
  [[], "the result must be a JSON object with success and summary"],
  [
    { success: true, summary: "x", outputs: { deep: deep(200) } },
    "the result is nested more than 100 levels deep: make it flatter",
  ],
  [
    { success: true, summary: "x", deep: deep(500_000) },
    "the result is nested more than 100 levels deep: make it flatter",
  ],
])("H7 a wrong result is refused with what to correct (%#)", async (value, problem) => {
  const desk = new KeepingDesk();
  const structuredContent = { accepted: false, problem };
  expect(await deskTools(desk).call("submit_result", value)).toEqual({
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: true,
  });
  expect(desk.results).toEqual([]);
});

test("H7 as many levels as are allowed are accepted", async () => {
  const desk = new KeepingDesk();
  // The result itself and its outputs are two.
  await deskTools(desk).call("submit_result", { success: true, summary: "x", outputs: { deep: deep(98) } });
  expect(desk.results).toHaveLength(1);
});

test("H7 what the desk throws is told to the agent", async () => {
  const desk = new KeepingDesk();
  desk.onResult = () => {
    throw new Error("the run has ended");
  };
  const result = await deskTools(desk).call("submit_result", { success: true, summary: "x" });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { accepted: false, problem: "Clew could not take the result: the run has ended" },
  });
});

test("H7 another tool is not there", async () => {
  expect(await deskTools(new KeepingDesk()).call("submit", {})).toBeUndefined();
});
