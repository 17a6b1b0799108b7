import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import type { McpServer } from "../../src/app/engine/result-tool.ts";
import { KeepingDesk } from "../../src/mcp/desk.fixture.ts";
import { HttpResultTools } from "../../src/mcp/result-tools.ts";
import { node } from "../support/node.ts";
import { outcomeOf, Repo } from "../support/repo.ts";

interface Sample {
  engine: string;
  transport: "stdio" | "http";
  http?: string;
  headers?: Record<string, string>;
  note?: string;
  body?: { id?: string | number; method?: string; params?: { arguments?: object } };
}

interface Reply {
  id: string | number | null;
  result?: Record<string, unknown> & { structuredContent?: Record<string, unknown>; tools?: { name: string }[] };
  error?: { code: number; message: string };
}

/** What the real engines sent to an MCP server. */
const samples = readFileSync(join(import.meta.dirname, "../fixtures/engines/mcp.requests.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Sample);
const engines = [...new Set(samples.map(({ engine }) => engine))];
const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const result = { success: true, summary: "Done.", outputs: { files: 2 } };

const sent = (engine: string, transport: string): Sample[] =>
  samples.filter((sample) => sample.engine === engine && sample.transport === transport);

/** Runs `clew mcp` on these lines and returns what it printed. */
async function talk(repo: Repo, lines: string[], env: Record<string, string> = {}): Promise<Reply[]> {
  const { code, stdout, stderr } = await repo.run(["mcp"], { input: lines.map((line) => `${line}\n`).join(""), env });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Reply);
}

const variables = ({ url, headers }: McpServer): Record<string, string> => ({
  CLEW_MCP_URL: url,
  CLEW_MCP_TOKEN: headers["authorization"]!.slice("Bearer ".length),
});

/** The request with a result that the step takes. */
const withResult = (body: Sample["body"]): Sample["body"] =>
  body?.params?.arguments ? { ...body, params: { ...body.params, arguments: result } } : body;

test.each(engines)(
  "H7 %s on stdio: every request is answered, nothing else is, and the result reaches its step",
  async (engine) => {
    using repo = new Repo();
    const desk = new KeepingDesk();
    const tool = await new HttpResultTools("1").open(desk);
    const bodies = sent(engine, "stdio").map(({ body }) => withResult(body));
    const replies = await talk(
      repo,
      bodies.map((body) => JSON.stringify(body)),
      variables(tool.server),
    );
    await tool.close();
    const requests = bodies.filter((body) => body?.id !== undefined && body.method !== undefined);
    expect(requests.length).toBeGreaterThan(2);
    expect(replies.map(({ id }) => id)).toEqual(requests.map((body) => body!.id));
    // Nothing changes that one could listen for.
    const failures = replies
      .filter((_, at) => requests[at]!.method !== "subscriptions/listen")
      .map(({ error }) => error);
    expect(failures.filter((error) => error !== undefined)).toEqual([]);
    const byMethod = (method: string): Reply => replies[requests.findIndex((body) => body!.method === method)]!;
    expect(byMethod("tools/list").result!.tools).toMatchObject([{ name: "submit_result", inputSchema: desk.schema }]);
    expect(byMethod("tools/call").result!.structuredContent).toEqual({ accepted: true });
    expect(desk.results).toEqual([result]);
  },
);

test("H7 what a step refuses is told on stdio as the step says it, and can be corrected", async () => {
  using repo = new Repo();
  const desk = new KeepingDesk();
  const tool = await new HttpResultTools("1").open(desk);
  const tries = [{ summary: "x" }, { success: true, summary: "" }, { success: true, summary: "x", outputs: 7 }, result];
  const lines = tries.map((args, id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "submit_result", arguments: args } }),
  );
  const replies = await talk(repo, lines, variables(tool.server));
  await tool.close();
  expect(replies.map((reply) => reply.result!.structuredContent)).toEqual([
    { accepted: false, problem: "the result has no success: true or false" },
    { accepted: false, problem: "the result has no summary" },
    { accepted: false, problem: "the result has outputs that are no object" },
    { accepted: true },
  ]);
  expect(replies.map((reply) => reply.result!["isError"])).toEqual([true, true, true, undefined]);
  expect(desk.results).toEqual([result]);
});

const submitLine = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "submit_result", arguments: result },
});

test("H7 without a step, the protocol is answered, and a call says that no step waits", async () => {
  using repo = new Repo();
  const [list, call] = await talk(repo, ['{"jsonrpc":"2.0","id":0,"method":"tools/list"}', submitLine]);
  expect(list!.result!.tools!.map(({ name }) => name)).not.toContain("submit_result");
  expect(call!.result).toMatchObject({ isError: true, structuredContent: { accepted: false } });
  expect(call!.result!.structuredContent!["problem"]).toMatch(/^no step waits for a result here: /);
});

test("H7 a step that is gone, a token that is another's and an address elsewhere are told", async () => {
  using repo = new Repo();
  const tools = new HttpResultTools("1");
  const [gone, other] = [await tools.open(new KeepingDesk()), await tools.open(new KeepingDesk())];
  const problem = async (env: Record<string, string>): Promise<unknown> =>
    (await talk(repo, [submitLine], env))[0]!.result!.structuredContent!["problem"];
  const mixed = { ...variables(gone.server), CLEW_MCP_TOKEN: variables(other.server)["CLEW_MCP_TOKEN"]! };
  expect(await problem(mixed)).toMatch(/cannot be reached: the token of this agent is needed/);
  await gone.close();
  expect(await problem(variables(gone.server))).toMatch(/cannot be reached: nothing is served here/);
  await other.close();
  expect(await problem(variables(other.server))).toMatch(/cannot be reached: .*ECONNREFUSED/);
  expect(await problem({ CLEW_MCP_URL: "http://example.com/mcp", CLEW_MCP_TOKEN: "t" })).toMatch(
    /^no step waits for a result here: CLEW_MCP_URL is no address of Clew's/,
  );
});

test("H7 wrong lines on stdio each get an answer, and the next is served", async () => {
  using repo = new Repo();
  const lines = ["{", "[]", "7", "", "  ", '{"jsonrpc":"2.0","id":null,"method":"ping"}', "x".repeat(17 * 1024 * 1024)];
  const unknown = '{"jsonrpc":"2.0","id":"u","method":"nothing/there"}';
  const ping = '{"jsonrpc":"2.0","id":"last","method":"ping"}';
  const replies = await talk(repo, [...lines, unknown, ping]);
  expect(replies.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    ["u", -32601],
    ["last", undefined],
  ]);
});

test.each<["legacy" | "auto", string]>([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
])("H7 the protocol's own client starts clew mcp (%s)", async (mode, version) => {
  using repo = new Repo();
  const desk = new KeepingDesk();
  const tool = await new HttpResultTools("1").open(desk);
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const env = { PATH: process.env["PATH"] ?? "", ...variables(tool.server) };
  await client.connect(new StdioClientTransport({ command: node, args: [program, "mcp"], cwd: repo.root, env }));
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  expect((await client.listTools()).tools).toMatchObject([{ name: "submit_result", inputSchema: desk.schema }]);
  const { structuredContent } = await client.callTool({ name: "submit_result", arguments: result });
  expect(structuredContent).toEqual({ accepted: true });
  await client.close();
  await tool.close();
  expect(desk.results).toEqual([result]);
});

/** Starts `clew mcp --http --json`, and gives its address and token. */
async function serve(repo: Repo, env: Record<string, string> = {}) {
  const child = repo.start(["mcp", "--http", "--json"], { env });
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
  return { child, ...(JSON.parse(line) as { url: string; token: string }) };
}

function send(
  url: string,
  { http = "POST", headers = {}, body }: Partial<Sample>,
): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    const request = httpRequest(url, { method: http, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => done({ status: response.statusCode!, text }));
    });
    request.on("error", fail).end(body && JSON.stringify(body));
  });
}

function statusFor(http: string | undefined, body: Sample["body"]): number {
  if (http === "GET") return 405;
  if (body?.id === undefined) return 202;
  return body.method === "subscriptions/listen" ? 404 : 200;
}

test("H7 clew mcp --http serves what the engines send, to one who has its token", async () => {
  using repo = new Repo();
  const desk = new KeepingDesk();
  const tool = await new HttpResultTools("1").open(desk);
  const { child, url, token } = await serve(repo, variables(tool.server));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const asked = samples.filter(({ transport }) => transport === "http");
  const seen: unknown[] = [];
  for (const sample of asked) {
    const headers = { ...sample.headers, authorization: `Bearer ${token}` };
    const { status, text } = await send(url, { ...sample, headers, body: withResult(sample.body)! });
    const reply = text === "" ? undefined : (JSON.parse(text) as Reply);
    const stranger = await send(url, sample);
    seen.push([sample.engine, sample.http, sample.body?.method, status, reply?.id, stranger.status]);
  }
  expect(seen).toEqual(
    asked.map(({ engine, http, body }) => [
      engine,
      http,
      body?.method,
      statusFor(http, body),
      body?.id ?? (body ? undefined : null),
      401,
    ]),
  );
  expect(desk.results).toEqual(engines.map(() => result));
  expect(await send(url, { headers: { authorization: `Bearer ${token}`, host: "example.com" } })).toMatchObject({
    status: 403,
  });
  const ended = outcomeOf(child);
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, stderr: "" });
  await expect(send(url, {})).rejects.toThrow("ECONNREFUSED");
  await tool.close();
});

test("H7 clew mcp --http tells a person the address and the header", async () => {
  using repo = new Repo();
  const child = repo.start(["mcp", "--http"]);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (lines.length === 2) child.kill("SIGTERM");
  }
  expect(lines).toEqual([
    expect.stringMatching(/^url {4}http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    expect.stringMatching(/^header Authorization: Bearer clew_mcp_[\w-]{43}$/),
  ]);
});

test("D7 an agent that logs its environment leaves no token on disk", async () => {
  using repo = new Repo();
  const tool = await new HttpResultTools("1").open(new KeepingDesk());
  const { CLEW_MCP_TOKEN: token } = variables(tool.server);
  await tool.close();
  await repo.clew("session", "start", "Look around");
  await repo.clew("session", "log", "tool", "bash", "--args", "env", "--result", `it has ${token} in it`);
  const record = Object.values(repo.record()).join("\n");
  expect(record).toContain("[redacted:clew-token]");
  expect(record).not.toContain(token!.slice(9));
});
