import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Operation } from "../../src/contract/api/operation.ts";
import { routes } from "../../src/contract/api/routes.ts";
import { operations } from "../../src/contract/api/table.ts";
import { Repo } from "../support/repo.ts";
import { until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

// D4: closed by default, on every route.

interface Route {
  name: string;
  method: string;
  path: string;
  effect: Operation["effect"];
}

const table = operations as unknown as Record<string, Record<string, Operation>>;
const allRoutes: Route[] = Object.entries(routes).map(([name, route]) => {
  const [resource = "", operation = ""] = name.split(".");
  const [method = "", path = ""] = route.split(" ");
  return { name, method, path: path.replaceAll(/\{\w+\}/g, "x"), effect: table[resource]![operation]!.effect };
});
const documents: Route[] = ["/openapi.json", "/metrics"].map((path) => ({
  name: path,
  method: "GET",
  path,
  effect: "reads",
}));
const everything = [...allRoutes, ...documents];

/** The status of each route under these circumstances, by route. */
async function statuses(
  api: Served,
  asked: Route[],
  how: (route: Route) => { headers?: Record<string, string>; loopback?: boolean; token?: string | null },
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const route of asked) {
    const body = route.method === "POST" ? { body: {} } : {};
    found[`${route.method} ${route.path}`] = (
      await api.ask(route.path, { method: route.method, ...body, ...how(route) })
    ).status;
  }
  return found;
}

const all = (asked: Route[], status: number): Record<string, number> =>
  Object.fromEntries(asked.map(({ method, path }) => [`${method} ${path}`, status]));

test("D4 every route is closed on loopback to all who have no token, and tells them nothing", async () => {
  await using api = await Served.start(new Repo());
  const unknown: Route[] = [{ name: "none", method: "GET", path: "/nope", effect: "reads" }];
  const asked = [...everything, ...unknown];
  expect(await statuses(api, asked, () => ({ loopback: true }))).toEqual(all(asked, 401));
  expect(await statuses(api, asked, () => ({ loopback: true, token: "clew_api_wrong_token" }))).toEqual(
    all(asked, 401),
  );
  const { headers } = await api.get("/status", { loopback: true });
  expect(headers["www-authenticate"]).toBe("Bearer");
});

test("D4 what a person decides takes a person's token on the socket, too; a token that may only read does no more", async () => {
  await using api = await Served.start(new Repo());
  const decided = allRoutes.filter(({ effect }) => effect === "decides");
  expect(decided.map(({ name }) => name).sort()).toEqual([
    "inbox.answer",
    "runs.approve",
    "runs.cancel",
    "runs.reject",
    "runs.requestChanges",
    "runs.retry",
    "runs.sendToAgent",
    "runs.stopAgent",
    "sessions.sendToAgent",
    "sessions.stopAgent",
    "turns.executeApproved",
    "turns.undo",
  ]);
  expect(await statuses(api, decided, () => ({}))).toEqual(all(decided, 401));
  const { token } = await api.repo.json<{ token: string }>("daemon", "token", "--read-only");
  const changing = allRoutes.filter(({ effect }) => effect !== "reads");
  expect(await statuses(api, changing, () => ({ token }))).toEqual(all(changing, 403));
  expect(await statuses(api, changing, () => ({ token, loopback: true }))).toEqual(all(changing, 403));
  expect((await api.get("/sessions", { token, loopback: true })).status).toBe(200);
});

test("D4 pages in a browser reach nothing: other names, other origins, other sites, simple posts, preflights", async () => {
  await using api = await Served.start(new Repo());
  const { token } = api;
  const port = new URL(api.daemon.url!).port;
  const foreign: Record<string, string>[] = [
    { host: `rebound.example:${port}` },
    { host: `127.0.0.1.example:${port}` },
    { host: "127.0.0.1" },
    { host: `[::1]:${port}` },
    { origin: "https://example.com" },
    { origin: "null" },
    { origin: `https://127.0.0.1:${port}` },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    const found = await statuses(api, everything, () => ({ headers, token, loopback: true }));
    expect([headers, found]).toEqual([headers, all(everything, 403)]);
  }
  expect((await api.get("/status", { headers: { host: "rebound.example" } })).status).toBe(403);
  expect((await api.get("/status", { headers: { origin: "http://localhost" } })).status).toBe(403);
  const own = { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" };
  expect((await api.get("/status", { headers: own, token, loopback: true })).status).toBe(200);

  const posts = allRoutes.filter(({ method }) => method === "POST");
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
  ]) {
    const found = await statuses(api, posts, () => ({ headers: { "content-type": type }, token, loopback: true }));
    expect([type, found]).toEqual([type, all(posts, 415)]);
  }
  const preflight = await api.ask("/sessions", { method: "OPTIONS", loopback: true, token });
  expect(preflight.status).toBe(405);
  const everyHeader = [preflight, await api.get("/status", { token, loopback: true, headers: own })].flatMap(
    ({ headers }) => Object.keys(headers),
  );
  expect(everyHeader.filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("D4 a token counts until it is revoked or expires", async () => {
  await using api = await Served.start(new Repo());
  const { id, token } = await api.repo.json<{ id: string; token: string }>("daemon", "token");
  const ask = async (): Promise<number> => (await api.get("/status", { token, loopback: true })).status;
  expect(await ask()).toBe(200);
  await api.repo.clew("daemon", "token", "revoke", id);
  expect(await ask()).toBe(401);
  // A wrong token is refused on the socket as well, where none is needed.
  expect((await api.get("/status", { token })).status).toBe(401);
});

test("D4 what is on disk of a token is no token", async () => {
  await using api = await Served.start(new Repo());
  const { token } = api;
  const secret = token.split("_").at(-1)!;
  await api.get(`/sessions/${token}`);
  await api.get(`/sessions/x?token=${token}`);
  const hits = (): string => {
    try {
      return execFileSync("grep", ["-rl", "-e", secret, resolve(api.repo.root)], { encoding: "utf8" });
    } catch {
      return "";
    }
  };
  expect(hits()).toBe("");
});

test("D7 what an error repeats of a request is redacted", async () => {
  await using api = await Served.start(new Repo());
  const { token } = api;
  const secret = token.split("_").at(-1)!;
  const asked: [method: string, path: string, body?: string][] = [
    ["GET", `/nope/${token}`],
    ["GET", `/nope/${"x".repeat(150)}/${token}`],
    ["PUT", `/sessions/${token}`],
    ["GET", `/sessions?${token}=1`],
    ["POST", "/sessions", `{"title": ${token}}`],
    ["POST", "/sessions", `{"${token}": 1}`],
  ];
  for (const [method, path, body] of asked) {
    const { status, text } = await api.ask(path, { method, ...(body !== undefined && { body }) });
    expect([path, status >= 400, text.includes(secret.slice(0, 20))]).toEqual([path, true, false]);
  }
});

/** What a server says to these bytes, until it closes or stays silent for long. */
function raw(api: Served, text: string): Promise<string> {
  const { hostname, port } = new URL(api.daemon.url!);
  return new Promise((done) => {
    const connection = connect({ host: hostname, port: Number(port) });
    let said = "";
    connection.on("data", (part: Buffer) => (said += part.toString("latin1")));
    connection.on("close", () => done(said));
    connection.on("error", () => done(said));
    connection.write(text);
  });
}

test("D4 requests that two programs could read in two ways are refused, and nothing of them is taken for another", async () => {
  await using api = await Served.start(new Repo());
  const port = new URL(api.daemon.url!).port;
  const head = (line: string, ...more: string[]): string =>
    [line, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${api.token}`, "Connection: close", ...more, "", ""].join(
      "\r\n",
    );
  const json = "Content-Type: application/json";
  const smuggled = head("POST /sessions HTTP/1.1", json, "Content-Length: 20") + '{"title":"smuggled"}';
  const cases: [why: string, text: string, status: RegExp][] = [
    [
      "both lengths",
      head("POST /sessions HTTP/1.1", json, "Content-Length: 5", "Transfer-Encoding: chunked") + `0\r\n\r\n${smuggled}`,
      /^HTTP\/1\.1 400/,
    ],
    [
      "two lengths",
      head("POST /sessions HTTP/1.1", json, "Content-Length: 0", "Content-Length: 20") + smuggled,
      /^HTTP\/1\.1 400/,
    ],
    [
      "an odd encoding",
      head("POST /sessions HTTP/1.1", json, "Transfer-Encoding: xchunked") + smuggled,
      /^HTTP\/1\.1 (?:400|501)/,
    ],
    ["a body of GET", head("GET /sessions HTTP/1.1", "Content-Length: 20") + '{"title":"smuggled"}', /^HTTP\/1\.1 400/],
    ["an absolute target", head(`GET http://127.0.0.1:${port}/status HTTP/1.1`), /^HTTP\/1\.1 400/],
    ["another host in the target", head("GET http://evil.example/status HTTP/1.1"), /^HTTP\/1\.1 400/],
    ["two hosts", head("GET /status HTTP/1.1", "Host: evil.example"), /^HTTP\/1\.1 400/],
    ["two tokens", head("GET /status HTTP/1.1", "Authorization: Bearer x"), /^HTTP\/1\.1 400/],
    ["no host", "GET /status HTTP/1.1\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400/],
    ["dots", head("GET /sessions/../status HTTP/1.1"), /^HTTP\/1\.1 400/],
    ["encoded dots", head("GET /sessions/%2e%2e/status HTTP/1.1"), /^HTTP\/1\.1 400/],
    ["two slashes", head("GET //status HTTP/1.1"), /^HTTP\/1\.1 404/],
    ["a backslash", head("GET /sessions\\x HTTP/1.1"), /^HTTP\/1\.1 400/],
    ["NUL", head("GET /sessions/%00 HTTP/1.1"), /^HTTP\/1\.1 400/],
    ["no UTF-8", head("GET /sessions/%ff HTTP/1.1"), /^HTTP\/1\.1 400/],
    ["a folded header", head("GET /status HTTP/1.1", "X-A: b\r\n c: d"), /^HTTP\/1\.1 (?:400|200)/],
    [
      "an upgrade",
      head("GET /status HTTP/1.1", "Upgrade: websocket").replace("Connection: close", "Connection: Upgrade"),
      /^$/,
    ],
    ["a tunnel", head("CONNECT evil.example:80 HTTP/1.1"), /^$/],
    ["no HTTP", "nonsense\r\n\r\n", /^HTTP\/1\.1 400/],
    ["long headers", head("GET /status HTTP/1.1", `X-Long: ${"a".repeat(40_000)}`), /^HTTP\/1\.1 431/],
    ["a long target", head(`GET /search?text=${"a".repeat(9_000)} HTTP/1.1`), /^HTTP\/1\.1 413/],
  ];
  for (const [why, text, status] of cases) {
    const said = await raw(api, text);
    expect([why, said.split("\r\n")[0]]).toEqual([why, expect.stringMatching(status)]);
    expect([why, said.match(/HTTP\/1\.1 200/g) ?? []]).toEqual([
      why,
      why === "a folded header" ? expect.anything() : [],
    ]);
  }
  expect((await api.get("/sessions")).body.sessions).toEqual([]);
});

test("D4 a body that is too large is refused, whether it says so or not", async () => {
  await using api = await Served.start(new Repo());
  const big = JSON.stringify({ title: "x".repeat(17 * 1024 * 1024) });
  const answered = await api.post("/sessions", big, { token: api.token });
  expect([answered.status, answered.body.error.code]).toEqual([413, "too_large"]);
  expect((await api.get("/sessions")).body.sessions).toEqual([]);
});

test("D4 D6 who has no token is held to what an agent may: it ends what it began, and no session of a person's", async () => {
  await using api = await Served.start(new Repo());
  const { session_id: own } = await api.repo.json<{ session_id: string }>("session", "start", "A person's");
  const begun = (await api.post("/sessions", { title: "By the socket" })).body.session_id as string;
  for (const [method, path] of [
    ["POST", `/sessions/${own}/end`],
    ["POST", `/sessions/${own}/pause`],
    ["DELETE", `/sessions/${own}`],
  ] as const) {
    const body = method === "POST" ? { body: path.endsWith("end") ? { status: "completed" } : {} } : {};
    const refused = await api.ask(path, { method, ...body });
    expect([path, refused.status, refused.body.error.message]).toEqual([
      path,
      403,
      expect.stringMatching(/^a request without a token may be an agent's: /),
    ]);
  }
  expect((await api.post(`/sessions/${begun}/end`, { status: "completed" })).status).toBe(200);
  expect((await api.post(`/sessions/${own}/entries`, { entry: { kind: "text", text: "A note" } })).status).toBe(200);
  const ended = await api.post(`/sessions/${own}/end`, { status: "completed" }, { token: api.token });
  expect([ended.status, ended.body.status]).toEqual([200, "completed"]);
});

test("D4 who holds the door of loopback open without a token keeps nobody out, and is cut off", async () => {
  await using api = await Served.start(new Repo());
  const { hostname, port } = new URL(api.daemon.url!);
  const known = connect({ host: hostname, port: Number(port) });
  let told = "";
  known.setEncoding("utf8").on("data", (part: string) => (told += part));
  const askAgain = async (): Promise<void> => {
    told = "";
    known.write(`GET /daemon HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${api.token}\r\n\r\n`);
    await until(() => told.startsWith("HTTP/1.1 200"));
  };
  await askAgain();
  const holders = Array.from({ length: 600 }, () => {
    const holder = connect({ host: hostname, port: Number(port) });
    holder
      .on("error", () => undefined)
      .resume()
      .write("GET /daemon HTTP/1.1\r\nHost:");
    return holder;
  });
  try {
    await until(() => holders.every(({ connecting }) => !connecting));
    expect((await api.get("/status", { token: api.token, loopback: true })).status).toBe(200);
    await askAgain();
    // Most at once, the last ones when their time is up.
    await until(() => holders.every(({ destroyed }) => destroyed));
    await askAgain();
  } finally {
    for (const each of [known, ...holders]) each.destroy();
  }
});

test("D4 one that asks too often on its connection is told so, and stops no other program without a token", async () => {
  await using api = await Served.start(new Repo());
  const busy = connect(api.daemon.socket);
  let told = "";
  busy.setEncoding("latin1").on("data", (part: string) => (told += part));
  busy.write("GET /daemon HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5_000));
  try {
    await until(() => told.includes("HTTP/1.1 429"));
    expect((await api.get("/status")).status).toBe(200);
    expect(await api.repo.json("daemon", "start")).toMatchObject({ daemon: { id: api.daemon.id }, is_new: false });
  } finally {
    busy.destroy();
  }
});

test("D4 who comes with a wrong token is told what is wrong with it", async () => {
  await using api = await Served.start(new Repo());
  const { id, token } = await api.repo.json<{ id: string; token: string }>("daemon", "token");
  await api.repo.clew("daemon", "token", "revoke", id);
  const cases: [authorization: string, message: string][] = [
    [`Bearer ${token}`, "it was revoked, or is another repository's"],
    ["Bearer nonsense", "this is no token of a daemon"],
    ["Bearer ", "the token is empty"],
    [api.token, "the Authorization does not begin with Bearer"],
    ["Basic dTpw", "the Authorization does not begin with Bearer"],
  ];
  for (const [authorization, message] of cases) {
    const { status, body } = await api.get("/status", { headers: { authorization }, loopback: true });
    expect([status, body.error.message]).toEqual([401, expect.stringContaining(message)]);
  }
});

test("D4 wrong tokens cost, on however many connections they come, and keep no right one out", async () => {
  await using api = await Served.start(new Repo());
  const found = new Set<number>();
  for (let at = 0; at < 1_000 && !found.has(429); at++)
    found.add((await api.get("/status", { token: `clew_api_wrong_${at}`, loopback: true })).status);
  expect([...found]).toEqual([401, 429]);
  expect((await api.get("/status", { token: api.token, loopback: true })).status).toBe(200);
});
