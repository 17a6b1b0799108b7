import { expect, test } from "vitest";
import { EventReader } from "../support/event-reader.ts";
import { Repo } from "../support/repo.ts";
import { until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

test("D4 a stream ends soon after its token was revoked or expired, and no other does", async () => {
  await using api = await Served.start(new Repo());
  const session = await api.repo.clew("session", "start", "Look at it");
  const { id, token } = await api.repo.json<{ id: string; token: string }>("daemon", "token");
  const expires = new Date(Date.now() + 5_000).toISOString();
  const short = await api.repo.json<{ token: string }>("daemon", "token", "--expires", expires);
  const open = (path: string, by: string, accept = "text/event-stream"): Promise<EventReader> =>
    EventReader.open(api, path, { headers: { authorization: `Bearer ${by}`, accept } });
  const ending = [
    await open("/events", token),
    await open("/events?live=true", token, "application/x-ndjson"),
    await open(`/sessions/${session}/events`, token),
    await open("/events", short.token),
  ];
  const staying = [await open("/events", api.token), await EventReader.open(api, "/events")];
  expect([...ending, ...staying].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  await api.repo.clew("daemon", "token", "revoke", id);
  await until(() => ending.every(({ isOver }) => isOver));
  expect(staying.map(({ isOver }) => isOver)).toEqual([false, false]);
  // It did not end by itself: who comes back is told why.
  expect(ending.flatMap(({ events }) => events.filter(({ event }) => event === "end"))).toEqual([]);
  for (const reader of staying) reader[Symbol.dispose]();
});
