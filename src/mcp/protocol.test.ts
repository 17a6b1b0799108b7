import { expect, test } from "vitest";
import type { Json } from "../contract/json.ts";
import { KeepingDesk } from "./desk.fixture.ts";
import { answerRequest } from "./protocol.ts";
import { deskTools } from "./submit-result.ts";

const server = { version: "1.2.3", tools: deskTools(new KeepingDesk()) };
const serverInfo = { name: "clew", title: "Clew", version: "1.2.3" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

function ask(method: string, params: { [key: string]: Json } = {}) {
  return answerRequest({ kind: "request", id: 1, method, params }, server);
}

const modern = (method: string, params: { [key: string]: Json } = {}) => ask(method, { ...params, _meta: meta });

test("H7 server/discover tells versions, tools and instructions", async () => {
  expect(await modern("server/discover")).toEqual({
    status: 200,
    body: {
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18"],
        capabilities: { tools: {} },
        instructions: server.tools.instructions,
        ttlMs: 0,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
      },
    },
  });
});

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2024-11-05", "2025-11-25"],
  ["2026-07-28", "2025-11-25"],
  [undefined, "2025-11-25"],
])("H7 initialize for %s gives %s", async (asked, given) => {
  const { status, body } = await ask("initialize", asked === undefined ? {} : { protocolVersion: asked });
  expect(status).toBe(200);
  expect(body["result"]).toEqual({
    protocolVersion: given,
    capabilities: { tools: {} },
    serverInfo,
    instructions: server.tools.instructions,
  });
});

test("H7 each era has its own form of results", async () => {
  const legacy = (await ask("tools/list")).body["result"] as { tools: unknown };
  expect(Object.keys(legacy)).toEqual(["tools"]);
  const { tools, ...rest } = (await modern("tools/list")).body["result"] as { tools: unknown };
  expect(tools).toEqual(legacy.tools);
  expect(rest).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
  const call = { name: "submit_result", arguments: { success: true, summary: "x" } };
  expect((await ask("tools/call", call)).body["result"]).not.toHaveProperty("resultType");
  expect((await modern("tools/call", call)).body["result"]).toHaveProperty("resultType", "complete");
});

test("H7 a call without arguments is refused by the desk, not by the protocol", async () => {
  const { body } = await modern("tools/call", { name: "submit_result" });
  expect(body["result"]).toMatchObject({ isError: true, structuredContent: { accepted: false } });
});

test.each(["ping", "logging/setLevel", "subscriptions/listen", "resources/list", "initialize", "__proto__", ""])(
  "H7 2026-07-28 knows no %j",
  async (method) => {
    expect(await modern(method)).toMatchObject({ status: 404, body: { id: 1, error: { code: -32601 } } });
  },
);

test.each(["prompts/list", "resources/list", "logging/setLevel", "toString", "x".repeat(1_000_000)])(
  "H7 earlier versions get an ordinary answer for an unknown method (%#)",
  async (method) => {
    const { status, body } = await ask(method);
    expect({ status, body }).toMatchObject({ status: 200, body: { error: { code: -32601 } } });
    expect(JSON.stringify(body).length).toBeLessThan(300);
  },
);

test("H7 ping of earlier versions", async () => {
  expect(await ask("ping")).toEqual({ status: 200, body: { jsonrpc: "2.0", id: 1, result: {} } });
});

test("H7 an unknown version is refused with those that are spoken", async () => {
  const key = "io.modelcontextprotocol/protocolVersion";
  expect(await ask("tools/list", { _meta: { ...meta, [key]: "2099-01-01" } })).toMatchObject({
    status: 400,
    body: {
      error: {
        code: -32022,
        data: { supported: ["2026-07-28", "2025-11-25", "2025-06-18"], requested: "2099-01-01" },
      },
    },
  });
});

test.each<[string, { [key: string]: Json }]>([
  ["server/discover", {}],
  ["server/discover", { _meta: 7 }],
  ["tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": 7 } }],
  ["tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }],
  ["tools/list", { _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": [] } }],
])("H7 %s without all that _meta must say is refused (%#)", async (method, params) => {
  expect(await ask(method, params)).toMatchObject({ status: 400, body: { error: { code: -32602 } } });
});

test.each<[Json | undefined]>([["submit"], [7], [undefined]])("H7 the tool %j is not there", async (name) => {
  const answer = await modern("tools/call", { ...(name !== undefined && { name }), arguments: {} });
  expect(answer).toMatchObject({ status: 200, body: { error: { code: -32602 } } });
});
