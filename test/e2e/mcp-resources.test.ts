import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { McpClient, waysIn } from "../support/mcp-client.ts";
import { Repo } from "../support/repo.ts";

test.each(waysIn)(
  "H7 sessions are resources, listed page by page, and read as they stand on disk (%s, %s)",
  async (era, transport) => {
    using repo = new Repo();
    for (let n = 0; n < 60; n++) repo.place(`2026-10-01-old-${String(n).padStart(2, "0")}`, { status: "completed" });
    await repo.clew("session", "start", "Look here");
    await repo.clew("session", "log", "text", "the key is ghp_0123456789abcdefghijABCDEFGHIJ012345");
    await using mcp = await McpClient.connect(repo, era, transport);
    // The client goes through all pages by itself.
    const { resources } = await mcp.client.listResources();
    const first = await mcp.client.request({ method: "resources/list", params: {} });
    expect(first.resources).toHaveLength(50);
    expect(first.nextCursor).toBeTypeOf("string");
    expect([50, 61]).toContain(resources.length);
    const { uri, title } = resources[0]!;
    expect([uri, title]).toEqual([expect.stringMatching(/^clew:\/\/session\/\d{4}-\d\d-\d\d-look-here$/), "Look here"]);
    const { contents } = await mcp.client.readResource({ uri });
    const id = uri.slice("clew://session/".length);
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: readFileSync(repo.path(id), "utf8") }]);
    expect(JSON.stringify(contents)).toContain("[redacted:github-token]");
    expect(await repo.clew("session", "show", id, "--raw")).toBe((contents[0] as { text: string }).text.trimEnd());
    for (const missing of [
      "clew://session/none",
      "clew://session/2026-10-01",
      "file:///etc/passwd",
      "clew://session/../x",
    ])
      await expect(mcp.client.readResource({ uri: missing })).rejects.toMatchObject({ code: -32602 });
    const page = mcp.client.request({ method: "resources/list", params: { cursor: "no such page" } });
    await expect(page).rejects.toMatchObject({ code: -32602 });
  },
);

test.each(waysIn)(
  "H7 spells are prompts, with what they ask for, rendered as a step would (%s, %s)",
  async (era, transport) => {
    using repo = new Repo();
    write(
      repo,
      ".clew/spells/ask.md",
      '# Ask about {{.topic}}\n{{if .bead}}For {{.bead.title}}.{{end}} {{default "calm" .tone}} {{len .list}}\n',
    );
    write(repo, ".clew/spells/broken.md", "{{if}}");
    const { bead } = await repo.json<{ bead: { id: string } }>("bead", "create", "Fix it");
    await using mcp = await McpClient.connect(repo, era, transport);
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts.map(({ name }) => name)).not.toContain("broken");
    expect(prompts.find(({ name }) => name === "ask")).toMatchObject({
      arguments: [
        { name: "topic", required: true },
        { name: "bead", required: false },
        { name: "tone", required: false },
        { name: "list", required: true },
      ],
    });
    const asked = { topic: "{{.secret}}", bead: bead.id, list: "[1, 2]" };
    const { messages } = await mcp.client.getPrompt({ name: "ask", arguments: asked });
    const text = "# Ask about {{.secret}}\nFor Fix it. calm 2\n";
    expect(messages).toEqual([{ role: "user", content: { type: "text", text } }]);
    const refused = (name: string, args: Record<string, string>): Promise<unknown> =>
      mcp.client.getPrompt({ name, arguments: args }).catch((error: { code: number }) => error.code);
    expect(await refused("ask", { topic: "x" })).toBe(-32602);
    expect(await refused("ask", { ...asked, bead: "none" })).toBe(-32602);
    expect(await refused("none", {})).toBe(-32602);
    expect(await refused("../../secret", {})).toBe(-32602);
  },
);

test.each(waysIn)("H7 ids of beads and sessions are completed (%s, %s)", async (era, transport) => {
  using repo = new Repo();
  for (const id of ["2026-10-01-one", "2026-10-02-two"]) repo.place(id, { status: "completed" });
  const { bead } = await repo.json<{ bead: { id: string } }>("bead", "create", "Fix it");
  await using mcp = await McpClient.connect(repo, era, transport);
  const complete = async (ref: object, name: string, value: string): Promise<string[]> =>
    (await mcp.client.complete({ ref: ref as never, argument: { name, value } })).completion.values;
  const session = { type: "ref/resource", uri: "clew://session/{id}" };
  expect(await complete({ type: "ref/prompt", name: "any" }, "bead", bead.id.slice(0, 2))).toEqual([bead.id]);
  expect(await complete(session, "id", "2026-10-0")).toEqual(["2026-10-02-two", "2026-10-01-one"]);
  expect([await complete(session, "id", "x"), await complete(session, "other", "")]).toEqual([[], []]);
  await expect(complete({ type: "ref/other" }, "id", "")).rejects.toMatchObject({ code: -32602 });
});

test("H7 the modern era tells how long an answer may be kept", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "One");
  await using mcp = await McpClient.connect(repo);
  const tools = await mcp.client.request({ method: "tools/list", params: {} });
  expect(tools).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
  const resources = await mcp.client.request({ method: "resources/list", params: {} });
  expect(resources).toMatchObject({ ttlMs: 0, cacheScope: "private" });
});
