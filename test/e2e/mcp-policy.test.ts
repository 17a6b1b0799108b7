import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, ConnectedRepo, planned, type Standing } from "../support/connected-repo.ts";
import { McpClient } from "../support/mcp-client.ts";

/** A repository with a policy, whose connected agent calls hooks. */
class PolicedRepo extends ConnectedRepo {
  readonly #settings: string;

  constructor(policy: string) {
    super();
    this.#settings = readFileSync(join(this.root, ".clew/config.yaml"), "utf8");
    this.policy(policy);
  }

  policy(text: string): void {
    writeFileSync(join(this.root, ".clew/config.yaml"), `${this.#settings}\n${text}`);
  }

  /** What the hook says before a command of an agent of the user's: how it decides, and why it denies. */
  async decision(command: string, fields: object = {}): Promise<string> {
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" };
    const { code, stdout, stderr } = await this.hook("PreToolUse", { ...call, ...fields });
    if (code !== 0) return `deny: ${stderr}`;
    const said =
      stdout === "" ? undefined : (JSON.parse(stdout) as { hookSpecificOutput: { permissionDecision: string } });
    return said?.hookSpecificOutput.permissionDecision ?? "nothing";
  }
}

const noPush = "policy: [{command: git push …, decide: deny, reason: a person pushes}]\n";

test("D6 H5 a connected agent is held to the rules with which its run began, until that is over", async () => {
  using repo = new PolicedRepo(noPush);
  await using mcp = await McpClient.connect(repo);
  const first = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  repo.policy("");
  expect(await repo.decision("git push")).toMatch(/^deny: .*a person pushes.*at the start/);
  expect(await repo.decision("git push", { cwd: repo.worktree("proj-1") })).toContain("deny: ");
  expect(await repo.decision("git status")).toBe("nothing");
  repo.policy("policy: [{command: git status, decide: deny}]\n");
  expect(await repo.decision("git status")).toContain("deny: ");
  repo.policy("policy: [{command: git push, decide: allow}]\n");
  const second = await mcp.ask<Standing>("workflow_continue", { token: first.token, result: planned });
  expect(await repo.decision("git push")).toContain("deny: ");

  await mcp.ask<Standing>("workflow_continue", { token: second.token, result: built });
  repo.policy("");
  expect(await repo.decision("git push")).toBe("nothing");
});

test("D6 H5 they hold while no process drives its run, and for an agent that a call over MCP names alone", async () => {
  using repo = new PolicedRepo(noPush);
  {
    await using mcp = await McpClient.connect(repo);
    await mcp.client.callTool({
      name: "workflow_start",
      arguments: { bead: "proj-1" },
      _meta: { "claudecode/toolUseId": "toolu_start" },
    });
  }
  const call = { tool_name: "mcp__clew__workflow_start", tool_input: {}, tool_use_id: "toolu_start" };
  await repo.hook("PreToolUse", call);
  repo.policy("");
  expect(await repo.decision("git push")).toContain("deny: ");
  expect(await repo.decision("git push", { session_id: "e-2" })).toBe("nothing");
});

test("H5 a rule about a step is about a connected agent's, too", async () => {
  using repo = new PolicedRepo("policy: [{step: build, command: git push, decide: ask}]\n");
  await using mcp = await McpClient.connect(repo);
  const { token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  expect(await repo.decision("git push")).toBe("nothing");
  await mcp.ask<Standing>("workflow_continue", { token, result: planned });
  expect(await repo.decision("git push")).toBe("ask");
});
