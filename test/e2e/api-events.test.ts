import { expect, test } from "vitest";
import { EventReader } from "../support/event-reader.ts";
import { write, writeBead } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { fileIn, script, startClew, until, type StepSource } from "../support/runs.ts";
import { Served } from "../support/served.ts";

// Streams of the daemon, read by a client that knows no more than HTTP.

/** A repository with these beads, which all are worked on by these steps. */
function repoOf(beads: string[], ...steps: StepSource[]): RunRepo {
  const repo = new RunRepo(steps.map((step) => `- ${JSON.stringify(step)}\n`).join(""));
  writeBead(repo, ...beads.map((id) => ({ id, title: `Bead ${id}`, status: "open" })));
  return repo;
}

/** A step that goes on when the file `go` is there. */
const waitForGo = script("wait", 'while [ ! -e "$GO" ]; do sleep 0.02; done; echo done');

/** The numbered events of all runs, as the command prints them. */
async function recorded(repo: Repo): Promise<{ n: number; type: string; workflow_id: string }[]> {
  const lines = (await repo.clew("run", "log", "--all", "--json")).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

const areOver = async (api: Served, count: number): Promise<boolean> =>
  (await api.get("/workflows")).body.runs.filter(({ status }: { status: string }) => status === "completed").length ===
  count;

test("D3 G14 events of many runs, by several writers, come in order and none is missed, also when the daemon dies", async () => {
  const beads = Array.from({ length: 6 }, (_, at) => `p-${at}`);
  const steps = ["one", "two", "three", "four"].map((name) => script(name, `sleep 0.0${name.length}; echo ${name}`));
  await using api = await Served.start(repoOf(beads, ...steps));
  const { repo } = api;
  const readers = [await EventReader.open(api, "/events")];
  expect([readers[0]!.status, readers[0]!.headers]).toEqual([
    200,
    expect.objectContaining({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    }),
  ]);
  const commands = beads.slice(0, 3).map((bead) => startClew(repo, ["run", bead]));
  const received = (): EventReader["events"] => readers.flatMap(({ events }) => events);
  const goOn = async (): Promise<void> => {
    await until(() => readers.at(-1)!.isOver);
    const lastId = String(received().at(-1)!.id);
    readers.push(await EventReader.open(api, "/events?after=0", { headers: { "last-event-id": lastId } }));
  };
  await until(() => received().length >= 5);
  await api.kill();
  await api.startAgain();
  await goOn();
  await until(() => received().length >= 20);
  await api.startAgain();
  await goOn();
  await Promise.all(commands.map(({ outcome }) => outcome));
  await until(() => areOver(api, beads.length));
  const all = await recorded(repo);
  await until(() => received().length >= all.length);
  expect(received().map(({ data }) => data)).toEqual(all);
  expect(received().map(({ id, event }) => [id, event])).toEqual(all.map(({ n, type }) => [n, type]));
  expect(all.map(({ n }) => n)).toEqual(all.map((_, at) => at + 1));
  // From the journals alone, in one piece.
  using anew = await EventReader.open(api, "/events");
  await until(() => anew.ids.length >= all.length);
  expect(anew.events.map(({ data }) => data)).toEqual(all);
});

test("D3 H9 what is asked for comes, and nothing else", async () => {
  const repo = new RunRepo('- {name: ask, type: agent, spell: "Say\\nhello"}');
  const turns = repo.plays({ say: "Hello", result: { success: true, summary: "Said it." } });
  writeBead(repo, { id: "p-1", title: "One", status: "open" }, { id: "p-2", title: "Two", status: "deferred" });
  await using api = await Served.start(repo, turns);
  await until(() => areOver(api, 1));
  const all = await recorded(repo);
  const last = all.at(-1)!.n;
  const read = async (query: string, lastId?: number): Promise<number[]> => {
    const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": String(lastId) };
    using reader = await EventReader.open(api, `/events?follow=false${query}`, { headers });
    await until(() => reader.isOver);
    expect(reader.events.at(-1)).toMatchObject({ event: "end" });
    return reader.ids;
  };
  const numbers = all.map(({ n }) => n);
  expect(await read("")).toEqual(numbers);
  expect(await read("&after=2")).toEqual(numbers.slice(2));
  expect(await read("&after=2", 3)).toEqual(numbers.slice(3));
  expect(await read(`&runs=${all[0]!.workflow_id}`)).toEqual(numbers);
  expect(await read("&runs=p-1")).toEqual(numbers);
  for (const query of ["runs=other", "runs=other&follow=false"]) {
    const refused = await api.get(`/events?${query}`);
    expect([query, refused.status, refused.body.error.code]).toEqual([query, 404, "unknown_run"]);
  }
  using followed = await EventReader.open(api, "/events?runs=p-1");
  await until(() => followed.ids.length >= numbers.length);
  expect(followed.ids).toEqual(numbers);
  expect(await read("&types=workflow.started&types=workflow.completed")).toEqual([1, last]);
  for (const path of [`/events?after=${last + 1}`, `/events?follow=false&after=${last + 1}`]) {
    const refused = await api.get(path);
    expect([refused.status, refused.body.error.code]).toEqual([410, "gone"]);
  }
  expect((await api.get("/events", { headers: { "last-event-id": "x" } })).body.error.code).toBe("usage");

  using live = await EventReader.open(api, "/events?live=true&activity=true");
  using started = await EventReader.open(api, "/events?live=true&types=workflow.started");
  using lines = await EventReader.open(api, "/events?live=true", {
    headers: { accept: "application/x-ndjson" },
  });
  expect(lines.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
  await until(() => live.events.length > 0);
  // Where a client goes on that is cut off before the first event.
  expect(live.events).toEqual([{ id: last, event: "start", data: { type: "start", n: last } }]);
  await repo.clew("bead", "update", "p-2", "--status", "open");
  await until(() => areOver(api, 2));
  const added = (await recorded(repo)).slice(all.length);
  await until(() => live.ids.at(-1) === added.at(-1)!.n);
  expect(live.events.slice(1).flatMap(({ id, data }) => (id === undefined ? [] : [data]))).toEqual(added);
  const activity = live.events.filter(({ id }) => id === undefined);
  expect(activity.map(({ event }) => event)).toContain("agent.message");
  expect(activity.find(({ event }) => event === "agent.message")!.data).toMatchObject({
    text: "Hello",
    workflow_id: added[0]!.workflow_id,
  });
  expect(started.ids.slice(1)).toEqual([added[0]!.n]);
  await until(() => lines.text.split("\n").length > added.length + 1);
  expect(
    lines.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([{ type: "start", n: last }, ...added]);
});

test("D3 a client that does not read is cut off, and twenty others get everything", async () => {
  const large = script("large", "head -c 60000 /dev/zero | tr '\\0' x");
  const steps = Array.from({ length: 100 }, (_, at) => ({ ...large, name: `large-${at}` }));
  const repo = repoOf(["p-1"], waitForGo, ...steps);
  await using api = await Served.start(repo, { GO: fileIn(repo, "go").path });
  await until(async () => (await api.get("/workflows")).body.runs.length === 1);
  const deaf = await EventReader.open(api, "/events", { isDeaf: true });
  const others = await Promise.all(Array.from({ length: 20 }, () => EventReader.open(api, "/events")));
  write(repo, "go", "");
  await until(() => areOver(api, 1));
  const all = await recorded(repo);
  for (const reader of others) {
    await until(() => reader.ids.length >= all.length);
    expect(reader.ids).toEqual(all.map(({ n }) => n));
    reader[Symbol.dispose]();
  }
  // Only now it sees what the system kept for it, and that there is no more.
  deaf.hear();
  await until(() => deaf.isOver);
  expect(deaf.ids.length).toBeLessThan(all.length);
  expect(deaf.ids).toEqual(all.slice(0, deaf.ids.length).map(({ n }) => n));
});

test("D3 D4 a token has at most 256 streams, others still get in, and one that is left is free again", async () => {
  await using api = await Served.start(new Repo());
  const headers = { authorization: `Bearer ${api.token}` };
  const readers = await Promise.all(Array.from({ length: 256 }, () => EventReader.open(api, "/events", { headers })));
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
  const refused = await api.get("/events", { token: api.token });
  expect([refused.status, refused.headers["retry-after"], refused.body.error]).toEqual([
    429,
    "1",
    {
      code: "too_many_requests",
      message: "256 streams of this client are open already",
      hint: expect.stringContaining("GET /events?"),
    },
  ]);
  using withoutToken = await EventReader.open(api, "/events");
  expect(withoutToken.status).toBe(200);
  expect((await api.get("/metrics")).text).toContain("\nclew_event_streams 257\n");
  readers.pop()![Symbol.dispose]();
  await until(async () => {
    using again = await EventReader.open(api, "/events", { headers });
    return again.status === 200;
  });
  for (const reader of readers) reader[Symbol.dispose]();
  const head = await api.ask("/events", { method: "HEAD" });
  expect([head.status, head.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
});

test("D3 D4 a program without a token that takes all streams and reads none keeps no other out", async () => {
  await using api = await Served.start(new Repo());
  const deaf: EventReader[] = [];
  for (let count = 0; count < 256; count++) deaf.push(await EventReader.open(api, "/events", { isDeaf: true }));
  using other = await EventReader.open(api, "/events");
  expect(other.status).toBe(200);
  const [oldest, next] = deaf;
  for (const reader of [oldest!, next!]) reader.hear();
  await until(() => oldest!.isOver);
  expect([next!.isOver, other.isOver]).toEqual([false, false]);
  expect((await api.get("/metrics")).text).toContain("\nclew_event_streams 256\n");
  for (const reader of deaf) reader[Symbol.dispose]();
});

test("D3 a session's stream tells what any process logs, by its numbers, and ends with the session", async () => {
  await using api = await Served.start(new Repo());
  const { repo } = api;
  const id = await repo.clew("session", "start", "Look at it");
  await repo.log(id, { kind: "phase", title: "One" }, { kind: "text", text: "a" });
  using reader = await EventReader.open(api, `/sessions/${id}/events`);
  await until(() => reader.events.length === 2);
  await repo.clew("session", "log", "decision", "b", "-s", id);
  await until(() => reader.events.length === 3);
  using resumed = await EventReader.open(api, `/sessions/${id}/events`, { headers: { "last-event-id": "2" } });
  await repo.log(id, { kind: "phase", title: "Two" }, { kind: "error", text: "c" });
  await repo.clew("session", "end", id);
  await until(() => reader.isOver && resumed.isOver);
  expect(reader.events.map(({ id: n, event, data }) => [n, event, data.entry?.text ?? data.phase?.title])).toEqual([
    [1, "phase", "One"],
    [2, "entry", "a"],
    [3, "entry", "b"],
    [4, "phase", "Two"],
    [5, "entry", "c"],
    [undefined, "end", undefined],
  ]);
  expect(resumed.events).toEqual(reader.events.slice(2));
  expect((await api.get(`/sessions/${id}/events?after=9`)).status).toBe(410);
  expect((await api.get("/sessions/no-such/events")).status).toBe(404);
});

test("D2 D3 a run's log is followed as lines and as events, to the run's end", async () => {
  const repo = repoOf(["p-1"], waitForGo);
  await using api = await Served.start(repo, { GO: fileIn(repo, "go").path });
  await until(async () => (await api.get("/workflows")).body.runs.length === 1);
  using lines = await EventReader.open(api, "/workflows/p-1/log?follow=true", { headers: { accept: "*/*" } });
  using events = await EventReader.open(api, "/workflows/p-1/log?follow=true");
  using later = await EventReader.open(api, "/workflows/p-1/log?follow=true", { headers: { "last-event-id": "1" } });
  write(repo, "go", "");
  await until(() => lines.isOver && events.isOver && later.isOver);
  const journal = repo.journal(await repo.runId());
  const read = lines.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(read).toEqual(journal);
  expect(events.events.slice(0, -1).map(({ data }) => data)).toEqual(journal);
  expect(events.events.at(-1)!.event).toBe("end");
  // Each line has its place: an event its number, any other how far behind which event it stands.
  expect(events.ids).toHaveLength(journal.length);
  expect(events.ids.filter(Number.isInteger)).toEqual(journal.flatMap((line) => ("n" in line ? line.n : [])));
  expect(later.ids).toEqual(events.ids.slice(1));
  for (const [at, id] of events.ids.entries()) {
    const headers = { "last-event-id": String(id) };
    using resumed = await EventReader.open(api, "/workflows/p-1/log?follow=true", { headers });
    await until(() => resumed.isOver);
    expect(resumed.events.slice(0, -1).map(({ data }) => data)).toEqual(journal.slice(at + 1));
  }
  expect((await api.get("/events", { headers: { "last-event-id": "1.1" } })).status).toBe(400);
});
