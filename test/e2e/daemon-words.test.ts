import { expect, test } from "vitest";
import type { DaemonInfo } from "../../src/contract/api/daemon.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

// D1: what a person is told of the daemon, and of what is done through it.

test("D1 a run that waits is not driven, and a verdict names its token", async () => {
  await using api = await Served.start(new RunRepo("- {name: x, type: script, command: exit 7}"));
  const { repo, token } = api;
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "blocked");
  expect((await api.get("/daemon")).body.driving).toEqual([]);
  expect(await repo.json<{ driving: string[] }>("daemon", "status")).toMatchObject({ driving: [] });
  await api.post("/workflows/proj-1/retry", {}, { token });
  await until(async () => (await api.get("/workflows/proj-1")).body.run.steps.length === 2);
  const { tokens } = await repo.json<{ tokens: { id: string }[] }>("daemon", "token", "list");
  expect(await repo.clew("run", "show", "proj-1")).toMatch(
    new RegExp(`retry of x by \\S+ with token ${tokens[0]!.id}, \\d`),
  );
});

test("D1 a start tells what it begins with and how to hold it; status offers no second daemon; restart keeps the port", async () => {
  await using api = await Served.start(new Repo());
  const { repo } = api;
  await repo.clew("daemon", "stop");
  repo.configure("max_concurrent_agents: 2\ndefault_grimoire: none\n");
  for (const title of ["One", "Two"]) await repo.clew("bead", "create", title);
  expect(await repo.clew("status")).toContain("clew daemon run");
  const port = new URL(api.daemon.url!).port;
  const told = await repo.clew("daemon", "start", "--port", port);
  expect(told).toContain(
    "2 beads ready · 0 runs to take up · at most 2 at once\nIt works on them from now on: clew daemon stop holds it.",
  );
  const status = await repo.clew("status");
  expect([status.includes("clew daemon run"), status.includes("clew daemon status")]).toEqual([false, true]);
  const before = await repo.json<{ daemon: DaemonInfo }>("daemon", "status");
  const { daemon } = await repo.json<{ daemon: DaemonInfo }>("daemon", "restart");
  expect([daemon.url, daemon.pid === before.daemon.pid]).toEqual([before.daemon.url, false]);
});

test("D1 words for what other commands do lead there, and a kind of entry that there is not is told those that are", async () => {
  await using api = await Served.start(new Repo());
  expect(await api.repo.refused(["daemon", "uninstall"])).toMatchObject({
    hint: "clew daemon install --remove does that",
  });
  expect((await api.repo.refused(["daemon", "logs"])).hint).toContain("clew daemon status");
  expect(await api.repo.clew("daemon", "token", "--help")).not.toMatch(/answer, start/);
  const { session_id } = (await api.post("/sessions", { title: "Kinds" })).body as { session_id: string };
  const { error } = (await api.post(`/sessions/${session_id}/entries`, { entry: { kind: "odd" } })).body;
  expect(error.message).toMatch(/^entry\.kind: must be one of phase, tool, text/);
});
