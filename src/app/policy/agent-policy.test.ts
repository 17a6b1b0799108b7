import { expect, test } from "vitest";
import type { PermissionEvent } from "../../contract/engine.ts";
import { readPolicy } from "../../contract/policy.ts";
import { agentPolicy, type AgentPolicy } from "./agent-policy.ts";

function policyOf(rules: object[], problem?: string): AgentPolicy {
  const layer = { file: "config.yaml", whose: "user" as const, lines: [], isTrusted: true };
  const layers = () => [
    { ...layer, rules: readPolicy(JSON.stringify(rules)), ...(problem !== undefined && { problem }) },
  ];
  const files = { layers, trust: () => "" };
  return agentPolicy(files, { home: "/home/user", realPath: (path) => path, topsOf: () => ["/repo"] });
}

const asked: Omit<PermissionEvent, "tool" | "input"> = { type: "permission", id: "1", options: [] };
const place = { folder: "/repo" };

test("what an engine's adapter understood is judged, whatever its tool is called", () => {
  const policy = policyOf([
    { command: "git push", decide: "deny" },
    { path: "gen/**", tool: "edit", decide: "ask" },
    { command: "ls …", decide: "allow" },
  ]);
  const run = (command: string) =>
    policy.judge({ ...asked, tool: "thing", input: {}, action: { kind: "run", command } }, place);
  expect(run("env git -C x push")).toMatchObject({ decision: "deny" });
  expect(run("ls -l")).toMatchObject({ decision: "allow" });
  expect(run("npm test")).toBeUndefined();
  const edit = { ...asked, tool: "thing", input: {}, action: { kind: "edit" as const, paths: ["/repo/gen/a.ts"] } };
  expect(policy.judge(edit, place)).toMatchObject({ decision: "ask" });
  expect(policy.isStrict).toBe(true);
});

test("a policy that cannot be read denies all but an agent's own result", () => {
  const policy = policyOf([], "config.yaml: line 1: nonsense");
  expect(policy.isStrict).toBe(true);
  expect(policy.judge({ ...asked, tool: "Bash", input: { command: "ls" } }, place)).toMatchObject({ decision: "deny" });
  const result = { ...asked, tool: "mcp__clew__submit_result", input: {}, action: { kind: "result" as const } };
  expect(policy.judge(result, place)).toBeUndefined();
  expect(policyOf([{ command: "ls", decide: "allow" }]).isStrict).toBe(false);
});
