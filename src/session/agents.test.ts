import { expect, test } from "vitest";
import { uniqueAgents } from "./agents.ts";

test.each([
  [["coder", "coder@2", "coder"], ["coder@2"]],
  [
    ["coder@1", "coder", "coder@2"],
    ["coder@1", "coder@2"],
  ],
  [
    ["a", "b@1", "a@3", "b"],
    ["a@3", "b@1"],
  ],
])("S1 of %j each agent stands once", (agents, once) => expect(uniqueAgents(agents)).toEqual(once));

test("S1 many agents take no time", () => {
  const agents = Array.from({ length: 200_000 }, (_, at) => `agent-${at}`);
  expect(uniqueAgents([...agents, ...agents])).toHaveLength(agents.length);
});
