import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KeepingDesk } from "./desk.fixture.ts";
import { LoopbackServer } from "../http/loopback-server.ts";
import { maxMessageBytes, mcpEndpoint } from "./endpoint.ts";
import { deskTools } from "./submit-result.ts";
import { newToken } from "./token.ts";

const token = newToken();
const version = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
};
let server: LoopbackServer;
let url: URL;
let desk: KeepingDesk;

beforeAll(async () => {
  server = await LoopbackServer.listen(400);
});
afterAll(() => server.close());
beforeEach(() => {
  desk = new KeepingDesk();
  url = new URL(server.add("/mcp/1", mcpEndpoint(token, { version: "1", tools: deskTools(desk) })));
});

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request; a header that is undefined is left out. */
function send(
  body: string | Buffer,
  headers: Record<string, string | undefined> = {},
  { method = "POST", path = url.pathname } = {},
): Promise<Response> {
  const given = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: url.hostname, port: url.port, path, method, headers: sent, agent: false });
    request.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    request.end(body);
  });
}

const call = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
const submit = call("tools/call", { name: "submit_result", arguments: { success: true, summary: "Done." } });
const submitHeaders = { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "submit_result" };
const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}';

test("H7 a result arrives", async () => {
  const { status, headers, text } = await send(submit, submitHeaders);
  expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
  expect(JSON.parse(text)).toMatchObject({ id: 1, result: { structuredContent: { accepted: true } } });
  expect(desk.results).toEqual([{ success: true, summary: "Done." }]);
});

test("D4 the server's own Origin is none of a page's", async () => {
  expect((await send(submit, { ...submitHeaders, origin: url.origin })).status).toBe(200);
  expect((await send(submit, { ...submitHeaders, origin: `${url.origin}0` })).status).toBe(403);
});

test("H7 notifications and responses are taken with 202", async () => {
  expect(await send('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toMatchObject({ status: 202, text: "" });
  expect(await send('{"jsonrpc":"2.0","id":1001,"result":{}}')).toMatchObject({ status: 202, text: "" });
});

test.each<[string, number, Record<string, string | undefined>]>([
  ["no token", 401, { authorization: undefined }],
  ["an empty token", 401, { authorization: "Bearer " }],
  ["another token", 401, { authorization: `Bearer ${newToken()}` }],
  ["the token cut short", 401, { authorization: `Bearer ${token.slice(0, -1)}` }],
  ["the token and more", 401, { authorization: `Bearer ${token}x` }],
  ["the token in another scheme", 401, { authorization: `Basic ${token}` }],
  ["another host", 403, { host: "example.com" }],
  ["another name of this machine", 403, { host: "localhost:1" }],
  ["no port", 403, { host: "127.0.0.1" }],
  ["an origin", 403, { origin: "http://127.0.0.1" }],
  ["the origin null", 403, { origin: "null" }],
  ["text", 415, { "content-type": "text/plain" }],
  ["no type", 415, { "content-type": undefined }],
  ["another charset", 415, { "content-type": "application/json; charset=utf-16" }],
  ["a form", 415, { "content-type": "application/x-www-form-urlencoded" }],
  ["a compressed body", 415, { "content-encoding": "gzip" }],
])("D4 %s is refused with %i, and no result is taken", async (_, status, headers) => {
  const response = await send(submit, { ...submitHeaders, ...headers });
  expect(response.status).toBe(status);
  expect(JSON.parse(response.text)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
  expect(response.text).not.toContain(token);
  expect(desk.results).toEqual([]);
});

test.each(["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])("H7 %s is JSON", async (type) => {
  expect(await send(ping, { "content-type": type })).toMatchObject({ status: 200 });
});

test.each(["GET", "DELETE", "PUT", "OPTIONS", "PATCH"])("H7 %s is answered with 405", async (method) => {
  const { status, headers } = await send("", {}, { method });
  expect([status, headers.allow]).toEqual([405, "POST"]);
});

test.each(["/", "/mcp", "/mcp/2", "/mcp/1/", "/mcp/1?x", "/mcp/../mcp/1", "http://127.0.0.1/mcp/1"])(
  "D4 nothing is served at %s",
  async (path) => expect(await send(ping, {}, { path })).toMatchObject({ status: 404 }),
);

test("D4 an endpoint that was removed is gone, whoever has its token", async () => {
  server.remove("/mcp/1");
  expect(await send(submit, submitHeaders)).toMatchObject({ status: 404 });
  expect(desk.results).toEqual([]);
});

test.each<[string, string | Buffer, number, number]>([
  ["no JSON", "{", 400, -32700],
  ["nothing", "", 400, -32700],
  ["a batch", `[${ping}]`, 400, -32600],
  ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400, -32600],
  ["an id that is null", ping.replace('"p"', "null"), 400, -32600],
  ["too much", `"${"x".repeat(maxMessageBytes)}"`, 413, -32600],
  ["an unknown method of earlier versions", ping.replace("ping", "pong"), 200, -32601],
])("H7 %s gets its own answer", async (_, body, status, code) => {
  const response = await send(body);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.text)).toMatchObject({ error: { code } });
});

test("H7 a body of just the most bytes is read", async () => {
  const whole = ping + " ".repeat(maxMessageBytes - ping.length);
  expect(await send(whole)).toMatchObject({ status: 200 });
});

test.each<[string, Record<string, string | undefined>]>([
  ["no version", { "mcp-protocol-version": undefined }],
  ["another version", { "mcp-protocol-version": "2025-11-25" }],
  ["no method", { "mcp-method": undefined }],
  ["another method", { "mcp-method": "tools/list" }],
  ["no name", { "mcp-name": undefined }],
  ["another name", { "mcp-name": "other" }],
  ["another name in base64", { "mcp-name": "=?base64?b3RoZXI=?=" }],
])("H7 headers that say %s are refused", async (_, headers) => {
  const { status, text } = await send(submit, { ...submitHeaders, ...headers });
  expect([status, JSON.parse(text)]).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  expect(desk.results).toEqual([]);
});

test("H7 a name in base64 is the same name", async () => {
  const name = `=?base64?${Buffer.from("submit_result").toString("base64")}?=`;
  expect(await send(submit, { ...submitHeaders, "mcp-name": name })).toMatchObject({ status: 200 });
});

test("H7 versions that only the header names", async () => {
  expect(await send(ping, { "mcp-protocol-version": "2025-06-18" })).toMatchObject({ status: 200 });
  for (const [header, code] of [
    ["2026-07-28", -32602],
    ["2019-01-01", -32022],
  ] as const) {
    const { status, text } = await send(ping, { "mcp-protocol-version": header });
    expect([status, JSON.parse(text)]).toMatchObject([400, { id: "p", error: { code } }]);
  }
});

/** Writes text to the port piece by piece, and returns what came back when the connection was closed. */
function raw(pieces: string[], everyMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), "127.0.0.1");
    let text = "";
    const timer = setInterval(() => {
      const piece = pieces.shift();
      if (piece !== undefined) socket.write(piece);
    }, everyMs);
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket
      .on("error", () => undefined)
      .on("close", () => {
        clearInterval(timer);
        resolve(text);
      });
  });
}

const head = (length: number): string =>
  [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    `content-length: ${length}`,
    "\r\n",
  ].join("\r\n");

test("D4 a slow body, a slow head and a body that never comes are cut off", async () => {
  const slow = raw([head(1_000), ...Array.from({ length: 1_000 }, () => " ")], 20);
  const slowHead = raw(["P", "O", "S", "T", " ", "/", ...Array.from({ length: 1_000 }, () => "x")], 20);
  const silent = raw([head(1_000)], 1);
  for (const text of await Promise.all([slow, slowHead, silent])) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
  expect(await send(ping)).toMatchObject({ status: 200 });
});

test("D4 a body without end is cut off, and others are served meanwhile", async () => {
  const endless = new Promise<string>((resolve) => {
    const socket = connect(Number(url.port), "127.0.0.1", () => {
      socket.write(head(2 ** 40));
      const more = (): void => void socket.write("x".repeat(1 << 20), (error) => error ?? more());
      more();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code!)).on("close", () => resolve("closed"));
    socket.resume();
  });
  expect(await send(ping)).toMatchObject({ status: 200 });
  expect(["ECONNRESET", "EPIPE", "closed"]).toContain(await endless);
});

test("D4 it listens on loopback alone", async () => {
  expect(url.hostname).toBe("127.0.0.1");
  const refused = new Promise<string>((resolve) => {
    const socket = connect(Number(url.port), "::1");
    socket
      .on("connect", () => resolve("connected"))
      .on("error", (error: NodeJS.ErrnoException) => resolve(error.code!));
  });
  expect(["ECONNREFUSED", "EADDRNOTAVAIL", "EAFNOSUPPORT"]).toContain(await refused);
});
