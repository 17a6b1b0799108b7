import { EventSource } from "eventsource";
import { expect, test } from "vitest";
import { daemonClient, type RemoteApi } from "../../src/client/client.ts";
import { fetchTransport } from "../../src/client/fetch-transport.ts";
import { socketTransport } from "../../src/client/socket-transport.ts";
import { answerOf, type ClientRequest, type ClientResponse } from "../../src/client/transport.ts";
import { routes } from "../../src/contract/api/routes.ts";
import { operations } from "../../src/contract/api/table.ts";
import type { Operation } from "../../src/contract/api/operation.ts";
import { writeBead } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { script, startClew, until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

// The client of `clew/client`, and one that nobody here wrote, against a living daemon.

function clientsOf({ daemon, token }: Served): Record<"socket" | "loopback", RemoteApi> {
  return {
    socket: daemonClient(socketTransport({ socket: daemon.socket, token })),
    loopback: daemonClient(fetchTransport({ url: daemon.url!, token })),
  };
}

test.each(["socket", "loopback"] as const)("D2 every resource answers the client by %s", async (door) => {
  await using api = await Served.start(new MergeRepo("echo new > new.txt"));
  const client = clientsOf(api)[door];
  const { session_id } = await client.sessions.start({ title: "Mend it" });
  await client.sessions.log({ entry: { kind: "decision", text: "Take a cookie" } });
  expect((await client.sessions.show({ session: session_id })).phases[0]!.entries).toMatchObject([
    { kind: "decision", text: "Take a cookie" },
  ]);
  expect((await client.sessions.list({ limit: 1 })).sessions).toHaveLength(1);
  expect((await client.search.find({ text: "cookie" })).hits).toMatchObject([{ session_id }]);
  expect((await client.sessions.render({ sessions: [session_id], format: "markdown" })).text).toContain("cookie");
  await client.sessions.end({ session: session_id, status: "completed" });

  const { bead } = await client.beads.create({ title: "Later/than now?", defer_until: "2099-01-01T00:00:00Z" });
  expect((await client.beads.show({ bead: bead.id })).bead.title).toBe("Later/than now?");
  expect((await client.grimoires.list({})).grimoires.length).toBeGreaterThan(0);
  expect((await client.engines.list({})).engines.length).toBeGreaterThan(0);
  expect(await client.repository.show({})).toMatchObject({ root: api.repo.root });
  expect((await client.config.show({})).settings.length).toBeGreaterThan(0);
  expect((await client.daemon.status({})).daemon).toMatchObject({ id: api.daemon.id });
  expect(await client.status.show({})).toMatchObject({ running: expect.any(Array) });

  await until(async () => (await client.runs.list({})).runs[0]?.status === "pending_merge");
  await until(async () => (await client.inbox.list({})).items.some(({ kind }) => kind === "approval_required"));
  const { run_id } = await client.runs.find({ run: "proj-1" });
  expect((await client.runs.diff({ run: run_id })).diff).toContain("+new");
  await client.runs.approve({ run: run_id });
  const types: string[] = [];
  for await (const { type } of await client.runs.lines({ run: run_id, follow: true })) types.push(type);
  expect([types[0], types.at(-1)]).toEqual(["workflow.started", "workflow.completed"]);
  expect((await client.runs.show({ run: run_id })).run.status).toBe("completed");
  await until(async () => (await client.worktrees.list({})).worktrees.length === 0);
  await expect(client.imports.share({ sessions: ["no-such"] })).rejects.toMatchObject({ code: "unknown_session" });
  await expect(client.work.sync({ cookie: "no-such" })).rejects.toMatchObject({ code: "unknown_session" });
});

test("D2 the client has every operation of the table that needs no process of the caller's own, and no other", () => {
  const client = daemonClient(async () => {
    throw new Error("not asked");
  }) as unknown as Record<string, Record<string, unknown>>;
  const own = Object.entries(client).flatMap(([resource, each]) =>
    Object.keys(each).map((name) => `${resource}.${name}`),
  );
  const either = Object.entries(operations).flatMap(([resource, table]) =>
    Object.entries<Operation>(table).flatMap(([name, { where }]) => (where === "either" ? `${resource}.${name}` : [])),
  );
  expect(own.sort()).toEqual(either.sort());
  expect(own).toEqual(Object.keys(routes).sort());
});

test("D2 what is refused, or cannot be reached, is an error with a code and a way out", async () => {
  await using api = await Served.start(new Repo());
  const { socket, loopback } = clientsOf(api);
  for (const client of [socket, loopback]) {
    await expect(client.sessions.show({ session: "no-such" })).rejects.toMatchObject({ code: "unknown_session" });
    await expect(client.sessions.follow({ session: "no-such" })).rejects.toMatchObject({ code: "unknown_session" });
    await expect(client.runs.events({ follow: true, after: 99 })).rejects.toMatchObject({ code: "gone" });
    await expect(client.beads.show({ bead: ".." })).rejects.toMatchObject({ code: "usage" });
    const given = AbortSignal.abort();
    await expect(client.status.show({}, { signal: given })).rejects.toMatchObject({ code: "interrupted" });
  }
  const stranger = daemonClient(fetchTransport({ url: api.daemon.url!, token: "none" }));
  await expect(stranger.status.show({})).rejects.toMatchObject({ code: "unauthorized" });
  const { daemon } = api;
  await api.repo.clew("daemon", "stop");
  const gone = clientsOf({ ...api, daemon, token: api.token } as Served);
  for (const client of [gone.socket, gone.loopback]) {
    await expect(client.status.show({})).rejects.toMatchObject({
      code: "not_available",
      hint: expect.stringContaining("clew daemon start") as string,
    });
  }
});

test("D2 a call whose connection is lost is tried again, and done once", async () => {
  await using api = await Served.start(new Repo());
  const inner = socketTransport({ socket: api.daemon.socket, token: api.token });
  let asked = 0;
  const losing = (lose: (request: ClientRequest) => Promise<ClientResponse>): RemoteApi =>
    daemonClient((request) => (asked++ === 0 ? lose(request) : inner(request)));
  const after = losing(async (request) => {
    await answerOf(await inner(request));
    throw new Error("lost after the answer");
  });
  const { bead } = await after.beads.create({ title: "After" });
  asked = 0;
  const meanwhile = losing(async (request) => {
    void inner(request);
    throw new Error("lost while it is answered");
  });
  await meanwhile.beads.create({ title: "Meanwhile" });
  asked = 0;
  const within = losing(async (request) => {
    const { status, chunks } = await inner(request);
    return {
      status,
      chunks: (async function* () {
        for await (const chunk of chunks) yield chunk.subarray(0, 5);
        throw new Error("lost within the answer");
      })(),
    };
  });
  await within.beads.delete({ bead: bead.id });
  const { beads } = await daemonClient(inner).beads.list({});
  expect(beads.map(({ title }) => title)).toEqual(["Meanwhile"]);
});

/** A repository whose daemon works on these beads, one step after the other. */
function busyRepo(beads: string[]): RunRepo {
  const steps = Array.from({ length: 4 }, (_, at) => script(`step-${at}`, "sleep 0.05"));
  const repo = new RunRepo(steps.map((step) => `- ${JSON.stringify(step)}\n`).join(""));
  writeBead(repo, ...beads.map((id) => ({ id, title: `Bead ${id}`, status: "open" })));
  return repo;
}

async function recorded(repo: Repo): Promise<{ n: number; type: string }[]> {
  return (await repo.clew("run", "log", "--all", "--json")).split("\n").map((line) => JSON.parse(line));
}

test("D3 streams of the client go on where they were when the daemon was killed and started again", async () => {
  await using api = await Served.start(busyRepo(["p-1", "p-2", "p-3"]));
  const { repo } = api;
  const stop = new AbortController();
  const { socket, loopback } = clientsOf(api);
  const session = await repo.clew("session", "start", "Long");
  const heard: Record<string, number[]> = { socket: [], loopback: [], session: [] };
  const follow = async (name: string, items: AsyncIterable<object>): Promise<void> => {
    for await (const item of items) if ("n" in item) heard[name]!.push(item.n as number);
  };
  const options = { signal: stop.signal };
  const following = [
    follow("socket", await socket.runs.events({ follow: true }, options)),
    follow("loopback", await loopback.runs.events({ follow: true }, options)),
    follow("session", await loopback.sessions.follow({ session }, options)),
  ];
  const command = startClew(repo, ["run", "p-1"]);
  await repo.log(session, { kind: "text", text: "before" });
  await until(() => heard["socket"]!.length > 3 && heard["session"]!.length === 2);
  await api.kill();
  await repo.log(session, { kind: "text", text: "while there is none" });
  await api.startAgain();
  await command.outcome;
  await until(async () => (await socket.runs.list({ status: "completed" })).runs.length === 3);
  await repo.clew("session", "end", session);
  await following[2];
  const numbers = (await recorded(repo)).map(({ n }) => n);
  await until(() => heard["socket"]!.length >= numbers.length && heard["loopback"]!.length >= numbers.length);
  stop.abort();
  await Promise.all(following);
  expect(heard).toEqual({ socket: numbers, loopback: numbers, session: [1, 2, 3] });
});

test("D3 a library for Server-Sent Events that knows nothing of Clew reads the events, and goes on after a restart", async () => {
  await using api = await Served.start(busyRepo(["p-1", "p-2"]));
  const { token, daemon } = api;
  const lastIds: (string | null)[] = [];
  const source = new EventSource(`${daemon.url}/events`, {
    fetch: (url, init) => {
      lastIds.push(new Headers(init.headers).get("last-event-id"));
      return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
    },
  });
  const heard: { id: string; data: unknown }[] = [];
  for (const type of ["started", "step.started", "step.completed", "completed"]) {
    source.addEventListener(`workflow.${type}`, ({ lastEventId, data }: MessageEvent) =>
      heard.push({ id: lastEventId, data: JSON.parse(data as string) }),
    );
  }
  await until(() => heard.length > 3);
  await api.kill();
  await api.startAgain();
  const client = clientsOf(api).socket;
  await until(async () => (await client.runs.list({ status: "completed" })).runs.length === 2);
  const all = await recorded(api.repo);
  // On a busy machine all may have been heard before the kill: then it comes back for nothing new.
  await until(() => heard.length >= all.length && lastIds.length > 1);
  source.close();
  expect(heard).toEqual(all.map((event) => ({ id: String(event.n), data: event })));
  expect([lastIds[0], Number(lastIds.at(-1)) > 3]).toEqual([null, true]);
});

test("D3 a run's lines come once each, however often the connection is lost", async () => {
  const repo = new RunRepo(`- ${JSON.stringify(script("talk", "for i in 1 2 3 4; do echo $i; sleep 0.2; done"))}\n`);
  await using api = await Served.start(repo);
  await until(async () => (await api.get("/workflows?status=completed")).body.runs.length === 1);
  const inner = socketTransport({ socket: api.daemon.socket });
  // Each connection brings two more events than the one before, and breaks.
  let connections = 0;
  const losing = daemonClient(async (request) => {
    const { status, chunks } = await inner(request);
    const most = ++connections * 2;
    return {
      status,
      chunks: (async function* () {
        let text = "";
        for await (const chunk of chunks) text += Buffer.from(chunk).toString("utf8");
        const events = text.split(/(?<=\n\n)/);
        yield Buffer.from(events.slice(0, most).join(""));
        if (events.length > most) throw new Error("lost");
      })(),
    };
  });
  const lines: unknown[] = [];
  for await (const line of await losing.runs.lines({ run: "proj-1", follow: true })) lines.push(line);
  expect(connections).toBeGreaterThan(1);
  expect(lines).toEqual(repo.journal(await repo.runId()));
});

test("D2 what the client is not asked to follow ends, and what cannot be asked for is refused", async () => {
  await using api = await Served.start(busyRepo(["p-1"]));
  await until(async () => (await api.get("/workflows?status=completed")).body.runs.length === 1);
  const heard: unknown[] = [];
  const client = daemonClient(fetchTransport({ url: `${api.daemon.url}/`, token: api.token }));
  for await (const event of await client.runs.events({})) heard.push(event);
  expect(heard).toEqual(await recorded(api.repo));
  await expect(client.runs.events({ types: [] })).rejects.toMatchObject({ code: "usage" });
  for (const asking of [
    () => client.beads.show({ bead: "ready" }),
    () => client.sessions.show({ session: "tree" }),
    () => client.grimoires.show({ grimoire: "schema" }),
  ])
    await expect(asking()).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("is another request of the API") as string,
    });
  for (const url of ["", "/", "127.0.0.1:4780", "http://"])
    expect(() => fetchTransport({ url, token: "x" })).toThrow("is no address of a daemon");
  const odd = daemonClient(async () => ({ status: 200, chunks: (async function* () {})() }));
  await expect(odd.status.show({})).rejects.toMatchObject({ code: "not_available" });
});
