import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import type { Fields } from "../read-fields.ts";
import { innerCommand } from "./items.ts";
import { atWork, told } from "../../../test/support/codex-replay.ts";

describe("H9 what a permission is about", () => {
  const ask = (method: string, params: Fields): Fields => ({ ...told(method, params), id: 1 });
  const run = (params: Fields): EngineEvent[] => atWork().hear(ask("item/commandExecution/requestApproval", params));

  test("H9 handing in the result is known by the call that waits", () => {
    const begun = atWork();
    const call = {
      type: "mcpToolCall",
      id: "c-1",
      server: "clew",
      tool: "submit_result",
      arguments: { success: true },
    };
    begun.hear(told("item/started", { item: call }));
    const _meta = { codex_approval_kind: "mcp_tool_call", tool_params: { success: true } };
    const form = { serverName: "clew", message: "Allow it?", _meta };
    expect(begun.hear(ask("mcpServer/elicitation/request", form))).toMatchObject([
      { tool: "mcp__clew__submit_result", tool_call: "c-1", action: { kind: "result" } },
    ]);
    begun.conversation.answer("1", "decline");
    expect(begun.written.at(-1)).toEqual({ id: 1, result: { action: "decline", content: null, _meta: null } });
    expect(begun.hear(told("turn/completed", { turn: { status: "completed" } }))).toMatchObject([
      { denied: ["mcp__clew__submit_result"] },
    ]);
  });

  test.each<[string, Fields]>([
    ["in another folder", { command: "ls", cwd: "/repository" }],
    ["to reach the network", { command: "ls", networkApprovalContext: { host: "example.org" } }],
    ["with more permissions", { command: "ls", additionalPermissions: { network: true } }],
    ["of another kind", { command: "ls", kind: "stdin" }],
    ["without a command", {}],
  ])("H9 a command %s is not judged by its words", (_, params) => {
    expect(run(params)).toMatchObject([{ type: "permission", tool: "shell" }]);
    expect(run(params)[0]).not.toHaveProperty("action");
  });

  test("H9 a command below the folder is; what may be allowed for the session is offered so", () => {
    const [permission] = run({ command: "ls", cwd: "/repo/src", availableDecisions: ["accept", "acceptForSession"] });
    expect(permission).toMatchObject({ action: { kind: "run", command: "ls" } });
    expect(permission).toMatchObject({ options: [{}, { kind: "allow_always" }, {}] });
  });

  test("H9 an edit that asks for a whole folder names it; a move names both places; an unknown one names none", () => {
    const begun = atWork();
    const changes = [{ path: "/repo/a", kind: { type: "update", move_path: "/etc/b" }, diff: "" }];
    begun.hear(told("item/started", { item: { type: "fileChange", id: "c-1", changes } }));
    const edit = (params: Fields): EngineEvent[] => begun.hear(ask("item/fileChange/requestApproval", params));
    expect(edit({ itemId: "c-1", grantRoot: "/etc" })).toMatchObject([
      { action: { kind: "edit", paths: ["/repo/a", "/etc/b", "/etc"] }, options: [{}, { kind: "reject_once" }] },
    ]);
    expect(edit({ itemId: "c-2" })).toMatchObject([{ action: { kind: "edit", paths: [] } }]);
  });

  test.each([
    ["/bin/bash -lc 'ls -l'", "ls -l"],
    ["/usr/bin/zsh -c ls", "ls"],
    ['bash -lc "echo \\"\\$HOME\\" \\n"', 'echo "$HOME" \\n'],
    ["sh -c a\\ b", "a b"],
    ["bash -lc ''", ""],
    ["bash -lc 'ls' extra", "bash -lc 'ls' extra"],
    ["bash -x 'ls'", "bash -x 'ls'"],
    ["python3 -c 'ls'", "python3 -c 'ls'"],
    ["bash -lc 'ls", "bash -lc 'ls"],
    ["", ""],
  ])("H9 the command in %s", (command, inner) => {
    expect(innerCommand(command)).toBe(inner);
  });
});
