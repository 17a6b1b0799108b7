import { expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

// The REST API of the daemon, asked as any program would.

test("D2 sessions are started, logged to, listed and shown, as the commands do it", async () => {
  await using api = await Served.start(new Repo());
  const started = await api.post("/sessions", { title: "Mend the login" });
  expect(started.status).toBe(200);
  const id = started.body.session_id as string;
  await api.post(`/sessions/${id}/entries`, { entry: { kind: "phase", title: "Look" } });
  await api.post("/sessions/active/entries", { entry: { kind: "decision", text: "Use a cookie" } });
  expect((await api.get(`/sessions/${id}`)).body).toEqual(await api.repo.show(id));
  expect((await api.get("/sessions")).body).toEqual(await api.repo.json("session", "list"));
  expect((await api.get("/search?text=cookie")).body.hits).toMatchObject([{ session_id: id, kind: "decision" }]);
  expect((await api.get("/stats?by=agent")).body).toEqual(await api.repo.json("session", "stats", "--by", "agent"));
  expect((await api.post(`/sessions/${id}/end`, { status: "completed" })).body).toMatchObject({ status: "completed" });
  expect((await api.get("/status")).body.ended).toMatchObject([{ session_id: id }]);
});

test("D2 lists are paged by cursors", async () => {
  await using api = await Served.start(new Repo());
  for (const title of ["One", "Two", "Three"]) await api.post("/sessions", { title });
  const titles: string[] = [];
  let after: string | undefined;
  do {
    const { body } = await api.get(
      `/sessions?limit=2${after === undefined ? "" : `&after=${encodeURIComponent(after)}`}`,
    );
    titles.push(...body.sessions.map(({ title }: { title: string }) => title));
    after = body.next;
  } while (after !== undefined);
  expect(titles).toEqual(["Three", "Two", "One"]);
  expect((await api.get("/sessions?limit=0")).body.error).toMatchObject({
    code: "usage",
    message: "limit: must be at least 1",
  });
});

test("D2 what did not change since is not sent again", async () => {
  await using api = await Served.start(new Repo());
  const first = await api.get("/sessions");
  const etag = first.headers.etag!;
  const again = await api.get("/sessions", { headers: { "if-none-match": etag } });
  expect((await api.get("/openapi.json", { headers: { "if-none-match": "*" } })).status).toBe(304);
  expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
  for (const [tags, status] of [
    ["*", 304],
    [`"other", W/${etag}`, 304],
    [`"other" , ${etag},`, 304],
    ['"other"', 200],
    [etag.slice(1, -1), 200],
  ] as const)
    expect([tags, (await api.get("/sessions", { headers: { "if-none-match": tags } })).status]).toEqual([tags, status]);
  await api.post("/sessions", { title: "New" });
  expect((await api.get("/sessions", { headers: { "if-none-match": etag } })).status).toBe(200);
});

test("D2 a request that is repeated with its key is done once", async () => {
  await using api = await Served.start(new Repo());
  const headers = { "idempotency-key": "a-1" };
  const first = await api.post("/beads", { title: "Once" }, { headers });
  const second = await api.post("/beads", { title: "Once" }, { headers });
  expect([second.body, second.headers["idempotency-replayed"]]).toEqual([first.body, "true"]);
  expect((await api.get("/beads")).body.beads).toHaveLength(1);
  const other = await api.post("/beads", { title: "Other" }, { headers });
  expect([other.status, other.body.error.message]).toEqual([400, "this Idempotency-Key was used for another request"]);
  // Another client's keys are its own.
  const others = await api.post("/beads", { title: "Other" }, { headers, token: api.token });
  expect([others.status, others.headers["idempotency-replayed"]]).toEqual([200, undefined]);
  const { id } = first.body.bead;
  const deleting = { method: "DELETE", token: api.token, headers: { "idempotency-key": "a-3" } };
  const deleted = await api.ask(`/beads/${id}`, deleting);
  expect([deleted.status, (await api.ask(`/beads/${id}`, deleting)).text]).toEqual([200, deleted.text]);
  expect((await api.ask(`/beads/${id}?reason=x`, deleting)).status).toBe(400);
  // What was refused may be asked again with the same key.
  const retried = { headers: { "idempotency-key": "a-2" } };
  expect((await api.post("/beads/no-such/close", {}, retried)).status).toBe(404);
  expect((await api.post("/beads/no-such/close", {}, retried)).status).toBe(404);
});

test("D2 the active session is meant by its name on every route", async () => {
  await using api = await Served.start(new Repo());
  const { token } = api;
  const { session_id } = (await api.post("/sessions", { title: "One" }, { token })).body;
  const renamed = await api.post("/sessions/active/rename", { title: "Other" }, { token });
  expect([renamed.status, renamed.body]).toEqual([200, { session_id, title: "Other" }]);
  expect((await api.get("/sessions/active/id")).body.session_id).toBe(session_id);
  expect((await api.post("/sessions/active/archive", { archived: false }, { token })).status).toBe(200);
  const deleted = await api.ask("/sessions/active", { method: "DELETE", token });
  expect([deleted.status, deleted.body]).toEqual([200, { session_id, deleted: true }]);
  expect((await api.ask("/sessions/active", { method: "DELETE", token })).body.error.code).toBe("no_active_session");
});

test("D2 numbers that cannot be are refused on every route", async () => {
  await using api = await Served.start(new Repo());
  const { session_id } = (await api.post("/sessions", { title: "One" })).body;
  const session = `/sessions/${session_id}`;
  const paths = ["/sessions", "/workflows", "/beads", "/search?text=x", "/sessions/names", "/sessions/tree"];
  const asked = [
    ...[...paths, `${session}/breadcrumbs`].flatMap((path) =>
      ["-1", "0", "1.5", "1e3", "99999999999999999999", "999999999999999"].map((value) => [path, "limit", value]),
    ),
    ...["/events", "/events?follow=false", `${session}/events`].flatMap((path) =>
      ["-1", "1.5", "99999999999999999999"].map((value) => [path, "after", value]),
    ),
    ...["/sessions", "/workflows", "/search?text=x"].map((path) => [path, "after", "nonsense"]),
    [`${session}/breadcrumbs`, "depth", "-1"],
  ] as [string, string, string][];
  for (const [path, name, value] of asked) {
    const { status, body } = await api.get(`${path}${path.includes("?") ? "&" : "?"}${name}=${value}`);
    expect([path, name, value, status, body.error?.hint]).toEqual([path, name, value, 400, expect.any(String)]);
  }
});

test("D2 G14 a blocked run is told with the context and actions of its event", async () => {
  await using api = await Served.start(new RunRepo('- {name: x, type: script, command: "echo broken; exit 7"}'));
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "blocked");
  const { id } = (await api.get("/workflows")).body.runs[0];
  const { run } = (await api.get(`/workflows/${id}`)).body;
  const log = (await api.get(`/workflows/${id}/log`)).text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const event = log.find(({ type }) => type === "workflow.blocked");
  expect(run).toMatchObject({
    status: "blocked",
    blocked_reason: event.blocked_reason,
    blocked_context: event.blocked_context,
    worktree: event.worktree,
  });
  expect(run.actions).toEqual(event.actions);
  expect(run.actions.join()).toContain(`clew run retry ${id}`);
});

test("D2 G12 approve-merge lands the merge; the record says by which token", async () => {
  await using api = await Served.start(new MergeRepo("echo new > new.txt"));
  const repo = api.repo as MergeRepo;
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "pending_merge");
  const { id } = (await api.get("/workflows")).body.runs[0];
  expect((await api.get(`/workflows/${id}/diff`)).body.diff).toContain("+new");
  for (const token of [null, "clew_api_x_y"]) {
    const refused = await api.post(`/workflows/${id}/approve-merge`, {}, { token });
    expect([refused.status, refused.body.error.code]).toEqual([401, "unauthorized"]);
  }
  const approved = await api.post(`/workflows/${id}/approve-merge`, {}, { token: api.token });
  expect(approved.body).toMatchObject({ run_id: id });
  await until(async () => (await api.get(`/workflows/${id}`)).body.run.status === "completed");
  expect(repo.text("new.txt")).toBe("new\n");
  const { run } = (await api.get(`/workflows/${id}`)).body;
  expect(run.signals).toMatchObject([
    {
      kind: "approve",
      by: { terminal: null, command: expect.stringMatching(/^clew run approve, token \w+$/) },
    },
  ]);
});

test("D2 G12 reject-merge blocks; retry with modified_inputs goes on; cancel ends it and opens the bead", async () => {
  await using api = await Served.start(new MergeRepo("echo new > new.txt"));
  const { token } = api;
  const status = async (): Promise<string> => (await api.get("/workflows/proj-1")).body.run?.status;
  await until(async () => (await status()) === "pending_merge");
  await api.post("/workflows/proj-1/reject-merge", { reason: "not yet" }, { token });
  await until(async () => (await status()) === "blocked");
  expect((await api.get("/workflows/proj-1")).body.run).toMatchObject({ blocked_reason: "rejected" });
  const unknown = await api.post("/workflows/proj-1/retry", { modified_inputs: { nope: 1 } }, { token });
  expect(unknown.status).toBe(400);
  expect((await api.post("/workflows/proj-1/retry", { modified_inputs: {} }, { token })).status).toBe(200);
  await until(async () => (await status()) === "pending_merge");
  const late = await api.post("/workflows/proj-1/request-changes", { text: "More" }, { token });
  expect([late.status, late.body.error.code]).toEqual([409, "not_possible_now"]);
  await api.post("/workflows/proj-1/cancel", {}, { token });
  await until(async () => (await status()) === "cancelled");
  await until(async () => (await api.get("/beads/proj-1")).body.bead.status === "open");
});

test("D2 wrong input is refused with what, where and what to do", async () => {
  await using api = await Served.start(new Repo());
  const { token } = api;
  const cases: [method: string, path: string, body: unknown, status: number, message: string][] = [
    ["GET", "/nope", undefined, 404, "there is nothing at /nope"],
    ["GET", "/sessions/no-such", undefined, 404, "no-such"],
    ["GET", "/sessions?limt=1", undefined, 400, 'there is no field "limt"'],
    ["GET", "/sessions?limit=x", undefined, 400, "limit: must be a number"],
    ["GET", "/sessions?limit=1&limit=2", undefined, 400, "limit is given 2 times"],
    ["GET", "/sessions?status=odd", undefined, 400, "status: must be one of"],
    ["GET", "/workflows/no-such", undefined, 404, "there are no runs yet"],
    ["GET", "/grimoires/..%2f..%2fetc%2fpasswd", undefined, 403, "is a path"],
    ["PUT", "/sessions", undefined, 405, "takes GET or POST"],
    ["POST", "/sessions", {}, 400, "title: is missing"],
    ["POST", "/sessions", [], 400, "the body must be a JSON object"],
    ["POST", "/sessions", "{", 400, "the body is not JSON"],
    ["POST", "/sessions?title=x", {}, 400, "in its JSON body"],
    [
      "POST",
      "/sessions",
      `{"title":${"[".repeat(9_000)}${"]".repeat(9_000)}}`,
      400,
      "nested more than 100 levels deep",
    ],
    [
      "POST",
      "/sessions/x/entries",
      `{"entry":{"kind":"tool_call","tool":"x","params":${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}}}`,
      400,
      "nested more than 100 levels deep",
    ],
    ["POST", "/workflows/no-such/cancel", {}, 404, "there are no runs yet"],
    ["POST", "/inbox/q-none/answer", { text: "yes" }, 404, "q-none"],
    ["POST", "/sessions/x/entries", { entry: { kind: "odd" } }, 400, "entry.kind"],
    [
      "POST",
      "/sessions/x/entries",
      { session: "y", entry: { kind: "text", text: "x" } },
      400,
      "stands in the path already",
    ],
  ];
  for (const [method, path, body, status, message] of cases) {
    const answered = await api.ask(path, { method, token, ...(body !== undefined && { body }) });
    expect([path, answered.status, answered.body.error.message]).toEqual([
      path,
      status,
      expect.stringContaining(message),
    ]);
    expect(answered.body.error.hint).not.toBe("");
  }
});

test("D2 metrics are in the text format of Prometheus, and add up", async () => {
  await using api = await Served.start(new RunRepo("- {name: x, type: script, command: exit 7}"));
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "blocked");
  await api.post("/sessions", { title: 'Odd "title"\\' });
  const { text, headers } = await api.get("/metrics");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(text.endsWith("\n")).toBe(true);
  const parse = (await import("parse-prometheus-text-format")).default;
  const families = new Map(parse(text).map((family) => [family.name, family]));
  const value = (name: string, labels: Record<string, string>): unknown =>
    families
      .get(name)
      ?.metrics.find((each) => Object.entries(labels).every(([key, word]) => each.labels?.[key] === word))?.value;
  expect(value("clew_runs", { status: "blocked" })).toBe("1");
  expect(value("clew_sessions", { status: "active" })).toBe("1");
  expect(value("clew_inbox_items", { kind: "decision_needed" })).toBe("1");
  // The only bead is blocked.
  expect(value("clew_beads_ready", {})).toBe("0");
  expect((await api.get("/beads/ready")).body.total).toBe(0);
  expect((await api.get("/beads?limit=1")).body.total).toBe(1);
  expect(value("clew_http_requests_total", { route: "sessions.start", status: "200" })).toBe("1");
  expect(families.get("clew_http_request_duration_seconds")?.type).toBe("HISTOGRAM");
  // The parser leaves out the labels of histograms.
  const timed = (rest: string): string | undefined =>
    text.split(`clew_http_request_duration_seconds_${rest} `)[1]?.split("\n")[0];
  expect([timed('count{route="sessions.start"}'), timed('bucket{route="sessions.start",le="+Inf"}')]).toEqual([
    "1",
    "1",
  ]);
});

test("D2 who asks for what is not there is told what may be meant, and who asks in another way which ways there are", async () => {
  await using api = await Served.start(new Repo());
  for (const [path, meant] of [
    ["/workflow", "did you mean /workflows?"],
    ["/runs", "did you mean /workflows?"],
    ["/runs/x", "did you mean /workflows/…?"],
    ["/sessions/", "did you mean /sessions?"],
    ["/nothing-like-it", "GET /openapi.json names all paths"],
  ] as const) {
    const { status, body } = await api.get(path);
    expect([path, status, body.error.hint]).toEqual([path, 404, expect.stringContaining(meant)]);
  }
  const { status, headers } = await api.ask("/beads", { method: "DELETE" });
  expect([status, headers.allow]).toEqual([405, "GET, POST"]);
});
