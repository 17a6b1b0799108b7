import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

// D2: what a request says is done, or refused; nothing of it is passed over.

test("D2 fields that there are not are refused at every depth, and limits that are none", async () => {
  await using api = await Served.start(new RunRepo("- {name: x, type: script, command: exit 7}"));
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "blocked");
  const { token } = api;
  const cases: [path: string, body: object, message: RegExp][] = [
    ["/workflows/proj-1/retry", { limits: { max_cost: 1 } }, /^limits: there is no field max_cost$/],
    ["/workflows/proj-1/retry", { limits: { max_cost_usd: -1 } }, /^limits\.max_cost_usd: must be more than 0$/],
    ["/beads/proj-1", { fields: { titel: "y" } }, /^fields: there is no field titel$/],
    ["/beads", { title: "New", dependencies: [{ type: "blocks", id: "proj-1", odd: 1 }] }, /there is no field odd$/],
  ];
  for (const [path, body, message] of cases) {
    const refused = await api.post(path, body, { token });
    expect([path, refused.status, refused.body.error.message]).toEqual([path, 400, expect.stringMatching(message)]);
  }
  expect((await api.get("/workflows/proj-1")).body.run).toMatchObject({ status: "blocked", signals: [] });
});

test("D2 W9 sessions are asked for by date, status and names as on the command line; what cannot be read is refused", async () => {
  await using api = await Served.start(new Repo());
  const { repo } = api;
  repo.place("2026-01-02-old", { started: "2026-01-02T09:00:00.000Z", status: "completed" });
  const { session_id } = await repo.json<{ session_id: string }>("session", "start", "New", "--agent", "coder@1");
  const ids = async (query: string): Promise<string[]> =>
    ((await api.get(`/sessions?${query}`)).body.sessions as { session_id: string }[]).map((each) => each.session_id);
  expect(await ids("since=2026-01-02T00:00:00Z")).toEqual([session_id, "2026-01-02-old"]);
  for (const query of ["since=1d", "since=2w", "since=12h", "since=today", "status=running", "agent=%40coder"])
    expect([query, await ids(query)]).toEqual([query, [session_id]]);
  const refused = await api.get("/sessions?since=banana");
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'since: "banana" is no date such as 2026-11-01, and no time ago',
  ]);
  expect(await repo.refused(["session", "list", "--since", "banana"])).toMatchObject({ code: "invalid_input" });
  expect((await api.get("/stats")).body).toEqual((await api.get("/stats?by=status")).body);
  expect((await api.get(`/sessions/tree?limit=-1`)).status).toBe(400);
});

test("D2 D3 events are asked for by their types, and of runs that there are, by any of their names", async () => {
  await using api = await Served.start(new RunRepo("- {name: x, type: script, command: exit 7}"));
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "blocked");
  const events = async (query: string): Promise<string[]> =>
    (await api.get(`/events?follow=false&${query}`)).text.split("\n").filter((line) => line.startsWith("event: "));
  expect(await events("runs=proj-1&types=workflow.blocked")).toEqual(["event: workflow.blocked", "event: end"]);
  const wrongType = await api.get("/events?follow=false&types=workflow.blokced");
  expect([wrongType.status, wrongType.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^types\.0: must be one of workflow\.started, .*workflow\.merge_pending/),
  ]);
  const wrongRun = await api.get("/events?follow=false&runs=no-such");
  expect([wrongRun.status, wrongRun.body.error.code]).toEqual([404, "unknown_run"]);
  const { paths } = (await api.get("/openapi.json")).body;
  const types = paths["/events"].get.parameters.find(({ name }: { name: string }) => name === "types");
  expect(types.schema.items.enum).toContain("workflow.merge_pending");
});

test("D2 what a list goes on with stands in an address as it is", async () => {
  await using api = await Served.start(new Repo());
  for (const title of ["One", "Two"]) {
    await api.post("/beads", { title });
    await api.post("/sessions", { title: `${title} with a needle` });
  }
  for (const path of ["/beads", "/sessions", "/search?text=needle"]) {
    const joined = path.includes("?") ? "&" : "?";
    const { next } = (await api.get(`${path}${joined}limit=1`)).body as { next: string };
    expect([path, next]).toEqual([path, expect.stringMatching(/^[\w-]+$/)]);
    expect([path, (await api.get(`${path}${joined}after=${next}`)).status]).toEqual([path, 200]);
    expect([path, (await api.get(`${path}${joined}after=nonsense`)).status]).toEqual([path, 400]);
  }
});

test("D2 G17 a workflow tells its variables, all its steps and what a retry can change; that wins over a step's own input", async () => {
  const steps = [
    '- {name: first, type: script, command: "echo {{default \\"none\\" .extra}}", output: said}',
    "- {name: check, type: script, input: {word: wrong}, command: 'test {{.word}} = right && echo {{.word}}'}",
    "- name: again",
    "  type: loop",
    "  max_iterations: 2",
    "  steps: [{name: inner, type: script, command: 'true', on_success: exit_loop}]",
  ];
  await using api = await Served.start(new RunRepo(steps.join("\n")));
  const status = async (): Promise<string> => (await api.get("/workflows/proj-1")).body.run?.status as string;
  await until(async () => (await status()) === "blocked");
  const { run } = (await api.get("/workflows/proj-1")).body;
  expect(run.variables).toEqual({ said: "none" });
  expect(run.outline).toEqual([
    { path: "first", kind: "script", status: "succeeded" },
    { path: "check", kind: "script", status: "failed" },
    { path: "again", kind: "loop", status: "not_begun" },
    { path: "again/inner", kind: "script", status: "not_begun" },
  ]);
  expect(run.modifiable_inputs).toEqual(expect.arrayContaining(["extra", "said", "word"]));
  const { token } = api;
  expect((await api.post("/workflows/proj-1/retry", { modified_inputs: { wrod: 1 } }, { token })).status).toBe(400);
  const { status: taken } = await api.post(
    "/workflows/proj-1/retry",
    { modified_inputs: { word: "right" } },
    { token },
  );
  expect(taken).toBe(200);
  await until(async () => (await status()) === "completed");
  const { run: done } = (await api.get("/workflows/proj-1")).body;
  expect(done.outline.map((step: { status: string }) => step.status)).toEqual(Array(4).fill("succeeded"));
  expect(
    done.steps.find((step: { path: string; attempt: number }) => step.path === "check" && step.attempt === 2),
  ).toMatchObject({ output: "right" });
});
