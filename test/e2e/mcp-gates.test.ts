import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Evidence } from "../../src/contract/api/evidence.ts";
import { built, ConnectedRepo, type Standing } from "../support/connected-repo.ts";
import { McpClient } from "../support/mcp-client.ts";

interface Refused {
  error: { message: string };
  blockers: { kind: string; message: string; fix: string }[];
  retry_token: string;
}

/** A repository in which a connected agent has to show that it ran the tests. */
class GatedRepo extends ConnectedRepo {
  #calls = 0;

  constructor() {
    super(`
- name: build
  type: agent
  spell: |
    Build it.
    {{.bead.id}}
  requires:
    - match: npm test`);
    writeFileSync(join(this.root, "package.json"), JSON.stringify({ scripts: { test: "true" } }));
    this.git("add", "-A");
    this.git("commit", "-qm", "Tests.");
    this.env["HOME"] = join(this.root, ".git/test-home");
  }

  get transcript(): string {
    return join(this.env["HOME"]!, ".claude/projects/-repo/e-1.jsonl");
  }

  /** What Claude Code does when its model calls Bash: a hook before it and after it, and two lines of its transcript. */
  async bash(
    command: string,
    {
      transcript = this.transcript,
      written = command,
      hooks = true,
      failed = false,
      folder = this.worktree("proj-1"),
    } = {},
  ): Promise<void> {
    this.#calls += 1;
    const id = `toolu_${this.#calls}`;
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: id };
    const about = { ...call, cwd: folder, transcript_path: transcript };
    if (hooks) await this.hook("PreToolUse", about);
    const response = { stdout: "", stderr: "", interrupted: false, isImage: false };
    if (hooks) await this.hook("PostToolUse", { ...about, tool_response: response });
    if (written === "") return;
    const use = { type: "tool_use", id, name: "Bash", input: { command: written } };
    const result = { type: "tool_result", tool_use_id: id, content: failed ? "Exit code 1" : "", is_error: failed };
    const lines = [
      { type: "assistant", sessionId: "e-1", message: { id: `m${id}`, role: "assistant", content: [use] } },
      { type: "user", sessionId: "e-1", message: { role: "user", content: [result] }, toolUseResult: response },
    ];
    mkdirSync(dirname(this.transcript), { recursive: true });
    appendFileSync(this.transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  edit(text: string): void {
    writeFileSync(join(this.worktree("proj-1"), "new.txt"), text);
  }
}

async function refused(mcp: McpClient, token: string): Promise<Refused> {
  const { isError, data } = await mcp.call("workflow_continue", { token, result: built });
  expect(isError).toBe(true);
  return data as unknown as Refused;
}

describe("H3 H4 H8 gates on the steps of connected agents", () => {
  test("what was not seen is refused with its fix and a token; what hooks and transcript tell counts", async () => {
    using repo = new GatedRepo();
    await using mcp = await McpClient.connect(repo);
    const { token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
    repo.edit("one\n");
    const first = await refused(mcp, token);
    expect(first).toMatchObject({ retry_token: token, blockers: [{ kind: "evidence_missing" }] });
    expect(first.blockers[0]!.message).toContain("no such call was seen in this attempt");
    expect(first.blockers[0]!.fix).toContain("npm test");

    await repo.bash("npm test");
    repo.edit("two\n");
    const stale = await refused(mcp, token);
    expect(stale.blockers).toMatchObject([
      { kind: "evidence_stale", message: expect.stringContaining("new.txt changed after it") as string },
    ]);
    const told = await mcp.ask<{ missing_evidence: { kind: string }[] }>("workflow_resume", { run: "proj-1" });
    expect(told.missing_evidence).toMatchObject([{ kind: "evidence_stale" }]);

    await repo.bash("npm test");
    expect((await mcp.ask<Standing>("workflow_continue", { token, result: built })).status).toBe("completed");
    const { evidence } = await repo.json<{ evidence: Evidence[] }>("evidence", "list");
    expect(evidence.at(-1)).toMatchObject({ command: "npm test", exit: 0, witnesses: ["transcript", "hook"] });
    expect(existsSync(join(repo.home, "evidence/wanted", `${evidence[0]!.run}.json`))).toBe(false);
  });

  test("a liar does not pass", async () => {
    using repo = new GatedRepo();
    await using mcp = await McpClient.connect(repo);
    const { token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
    const messageNow = async (): Promise<string> => (await refused(mcp, token)).blockers[0]!.message;

    await repo.bash("npm test", { written: "" });
    expect(await messageNow()).toContain("the engine itself tells of no such call");
    await repo.bash("npm test", { written: "echo npm test" });
    expect(await messageNow()).toContain("tell of different commands");
    const forged = join(repo.root, ".git/forged.jsonl");
    writeFileSync(forged, "");
    await repo.bash("npm test", { transcript: forged });
    expect(await messageNow()).toContain("the engine itself tells of no such call");
    await repo.bash("npm test", { failed: true });
    expect(await messageNow()).toContain("do not agree on whether it failed");
    for (const command of ["npm test || true", "npm test; true", "echo npm test"]) await repo.bash(command);
    await repo.bash("npm test", { hooks: false });
    await repo.bash("npm test", { folder: repo.root });
    expect(await messageNow()).toContain("do not agree on whether it failed");
  });
});
