import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Json } from "../contract/json.ts";
import { forwardedTools } from "./forwarded-tools.ts";
import { upstreamIn } from "./upstream.ts";

const url = "http://127.0.0.1:4711/mcp/1";

test("H7 the environment names the upstream, or none", () => {
  expect(upstreamIn({})).toBeUndefined();
  expect(upstreamIn({ CLEW_MCP_URL: "", CLEW_MCP_TOKEN: "" })).toBeUndefined();
  expect(upstreamIn({ CLEW_MCP_URL: url, CLEW_MCP_TOKEN: "t" })).toEqual({ url, token: "t" });
});

test.each([
  { CLEW_MCP_URL: url },
  { CLEW_MCP_TOKEN: "t" },
  { CLEW_MCP_URL: url, CLEW_MCP_TOKEN: "a b" },
  { CLEW_MCP_URL: url, CLEW_MCP_TOKEN: "a\r\nx: y" },
  ...[
    "https://127.0.0.1:4711/mcp/1",
    "http://example.com:80/mcp",
    "http://127.0.0.1@example.com:80/mcp",
    "http://127.0.0.1.example.com:80/mcp",
    "http://localhost:4711/mcp",
    "http://127.0.0.1/mcp",
    "http://127.0.0.1:4711/mcp?x=http://example.com",
    "http://127.0.0.1:4711/mcp\n",
  ].map((CLEW_MCP_URL) => ({ CLEW_MCP_URL, CLEW_MCP_TOKEN: "t" })),
])("D4 a token is sent to no other machine (%#)", (env) => {
  expect(upstreamIn(env)).toEqual(expect.any(String));
});

/** What the forwarded tools make of a server that answers wrongly. */
async function forwardTo(listener: RequestListener, waitMs?: number) {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const tools = forwardedTools({ url: `http://127.0.0.1:${port}/mcp/1`, token: "t", ...(waitMs && { waitMs }) });
  const call = await tools.call("submit_result", { success: true, summary: "x" });
  const list = await tools.list();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
  return { list, call };
}

test.each<[string, RequestListener]>([
  ["HTTP 500", (_, response) => response.writeHead(500).end("broken")],
  ["HTTP 302", (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["HTTP 200", (_, response) => response.end("[]")],
  ["socket hang up", (request) => request.socket.destroy()],
  ["gone", (_, response) => response.end('{"error":{"message":"gone"}}')],
  ["its answer is too long", (_, response) => response.end("x".repeat(5 * 1024 * 1024))],
  ["its answer is not UTF-8", (_, response) => response.end(Buffer.from([0xff]))],
])("H7 an upstream that cannot take the result is told to the agent: %s", async (problem, listener) => {
  const { list, call } = await forwardTo(listener);
  expect(call).toMatchObject({
    isError: true,
    structuredContent: { problem: `the step that waits for this result cannot be reached: ${problem}` },
  });
  expect(list).toMatchObject([{ name: "submit_result", inputSchema: { required: ["success", "summary"] } }]);
});

test.each<[string, RequestListener]>([
  ["it does not answer", () => undefined],
  ["its answer is cut off", (_, response) => response.write("{")],
])("H7 an upstream that takes too long is given up: %s", async (problem, listener) => {
  const { call } = await forwardTo(listener, 300);
  expect(call!.structuredContent["problem"]).toMatch(new RegExp(`${problem}$`));
});

test("H7 a value that cannot be handed on is refused here", async () => {
  const tools = forwardedTools({ url, token: "t" });
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as Json;
  const problems = [];
  for (const value of [{ success: true, summary: "x", deep }, "text", null])
    problems.push((await tools.call("submit_result", value))?.structuredContent["problem"]);
  expect(problems).toEqual([
    "the result is nested more than 100 levels deep: make it flatter",
    "the result must be a JSON object with success and summary",
    "the result must be a JSON object with success and summary",
  ]);
  expect(await tools.call("other", {})).toBeUndefined();
});
