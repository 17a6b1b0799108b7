import { expect, test } from "vitest";
import { McpClient, waysIn } from "../support/mcp-client.ts";
import { Repo } from "../support/repo.ts";

test.each(waysIn)("H7 an agent records, finds and reads what was decided (%s, %s)", async (era, transport) => {
  using repo = new Repo();
  await using mcp = await McpClient.connect(repo, era, transport);
  expect(mcp.client.getNegotiatedProtocolVersion()).toBe(era === "modern" ? "2026-07-28" : "2025-11-25");
  const { session_id: session } = await mcp.ask<{ session_id: string }>("session_start", { title: "Choose a parser" });
  await mcp.ask("decision_record", { text: "Use the streaming parser: files are large." });
  await mcp.ask("note_record", { text: "The old one read all at once.", session });
  const crumb = { cookie: session, kind: "result", text: "It parses.", files: ["src/parse.ts"] };
  expect(await mcp.ask("breadcrumb_record", crumb)).toMatchObject({ session_id: session });
  expect(await mcp.ask("session_search", { text: "streaming" })).toMatchObject({
    hits: [{ session_id: session, kind: "decision" }],
  });
  expect(await mcp.ask("session_list")).toMatchObject({ sessions: [{ session_id: session, status: "active" }] });
  expect(await mcp.ask("session_context", { session })).toMatchObject({ decisions_kept: 1 });
  await mcp.ask("session_end", { session, status: "completed" });
  // The same is there for a person.
  const { phases, breadcrumbs } = await repo.show(session);
  expect(phases[0]!.entries).toMatchObject([
    { kind: "decision", text: "Use the streaming parser: files are large." },
    { kind: "text", text: "The old one read all at once." },
  ]);
  expect(breadcrumbs).toMatchObject([{ kind: "result", files_modified: ["src/parse.ts"] }]);
});

test.each(waysIn)("H7 workflows, beads, runs and the inbox are shown (%s, %s)", async (era, transport) => {
  using repo = new Repo();
  await repo.clew("session", "start", "Ask");
  await repo.clew("session", "log", "decision_needed", "Which port?");
  await using mcp = await McpClient.connect(repo, era, transport);
  const { bead } = await mcp.ask<{ bead: { id: string } }>("bead_create", { title: "Fix the port" });
  expect(await mcp.ask("bead_ready")).toMatchObject({ beads: [{ id: bead.id }] });
  expect(await mcp.ask("bead_show", { bead: bead.id })).toMatchObject({ bead: { title: "Fix the port" } });
  const { grimoires } = await mcp.ask<{ grimoires: { name: string }[] }>("workflow_list");
  expect(grimoires.map(({ name }) => name)).toContain("implement-bead");
  expect(await mcp.ask("workflow_inspect", { grimoire: "implement-bead" })).toMatchObject({ origin: "built-in" });
  expect(await mcp.ask("run_list")).toEqual({ runs: [], unreadable: [] });
  expect(await mcp.ask("inbox_list")).toMatchObject({ items: [{ kind: "decision_needed", text: "Which port?" }] });
  expect(await mcp.ask("status_show")).toMatchObject({ needs_you: [{ text: "Which port?" }] });
});

test("H7 what is wrong with a call is told to the model, with the way out", async () => {
  using repo = new Repo();
  await using mcp = await McpClient.connect(repo);
  const errors = [
    await mcp.refused("decision_record", { text: "Nobody listens." }),
    await mcp.refused("session_show", { session: "nothing" }),
    await mcp.refused("session_search", { txt: "x" }),
    await mcp.refused("session_search", { text: 7 }),
    await mcp.refused("workflow_inspect", { grimoire: "../../etc/passwd" }),
    await mcp.refused("run_show", { run: "none" }),
  ];
  expect(errors.map(({ code }) => code)).toEqual([
    "no_active_session",
    "unknown_session",
    "usage",
    "usage",
    "leads_outside",
    "unknown_run",
  ]);
  expect(errors[2]).toMatchObject({ hint: "did you mean text?" });
  expect(errors.every(({ message, hint }) => message !== "" && hint !== "")).toBe(true);
  await expect(mcp.client.callTool({ name: "run_approve", arguments: {} })).rejects.toThrow("no tool of this name");
});

test("H7 D4 no tool gives a verdict, an answer or a signal, and an agent ends no session of a person's", async () => {
  using repo = new Repo();
  const { session_id: session } = await repo.json<{ session_id: string }>("session", "start", "Mine");
  await using mcp = await McpClient.connect(repo);
  const names = (await mcp.client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => /approve|reject|changes|answer|cancel|retry|trust|token/.test(name))).toEqual([]);
  expect(await mcp.refused("session_end", { session, status: "completed" })).toMatchObject({
    code: "no_permission",
    message: expect.stringContaining("over MCP is an agent") as string,
  });
  // Nothing is logged as a person's answer either: the kind of an entry is the tool's.
  expect(await mcp.refused("note_record", { text: "x", kind: "answer" })).toMatchObject({ code: "usage" });
  expect((await repo.show(session)).frontmatter.status).toBe("active");
});

test("H7 outside a repository the tools are listed, and calls say where to go", async () => {
  using repo = new Repo();
  const { mkdtempSync, rmSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const folder = mkdtempSync(`${tmpdir()}/clew-none-`);
  const input = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"session_list"}}',
  ];
  const { code, stdout } = await repo.run(["mcp"], { cwd: folder, input: `${input.join("\n")}\n` });
  rmSync(folder, { recursive: true });
  const [list, call] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { result: Record<string, unknown> });
  expect(code).toBe(0);
  expect(list!.result["tools"]).toHaveLength(22);
  expect(call!.result).toMatchObject({ isError: true, structuredContent: { error: { code: "not_a_repository" } } });
});
