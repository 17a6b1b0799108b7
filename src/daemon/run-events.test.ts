import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EventHub } from "../app/run/event-hub.ts";
import type { EventNews, NewsListener } from "../app/run/event-tail.ts";
import type { NumberedEvent, RunActivity } from "../contract/api/run.ts";
import { streamRunEvents } from "./run-events.ts";

const event = (n: number): NumberedEvent => ({ type: "workflow.started", n, workflow_id: "w" }) as NumberedEvent;
const activity = { type: "agent.message", workflow_id: "w", text: "x" } as unknown as RunActivity;
const news = (events: NumberedEvent[], activities: RunActivity[] = []): EventNews => ({
  events,
  activities,
  unreadable: [],
});

test("D3 what waits for a client is what it wants and has not got: it is not cut off for the rest", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clew-events-"));
  const socketPath = join(folder, "socket");
  const stop = new AbortController();
  let tell: NewsListener = () => undefined;
  let goOn = (): void => undefined;
  const going = new Promise<void>((resolve) => (goOn = resolve));
  const hub = {
    listen: async (_: unknown, listener: NewsListener) => {
      tell = listener;
      const earlier = (async function* () {
        yield news([event(1)]);
        await going;
      })();
      return { earlier, last: 1, leave: () => undefined };
    },
  } as unknown as EventHub;
  const server = createServer((_, response) => {
    const exchange = { response, format: "events", signal: stop.signal } as const;
    void streamRunEvents({ eventHub: async () => hub }, {}, exchange);
  });
  try {
    await once(server.listen(socketPath), "listening");
    const asking = request({ socketPath, agent: false });
    asking.end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    const ids: number[] = [];
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    tell(
      news(
        [event(2)],
        Array.from({ length: 60_000 }, () => activity),
      ),
    );
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 50));
    tell(news([event(3)]));
    stop.abort();
    await once(response, "close");
    for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) ids.push(Number(id));
    expect(ids).toEqual([1, 2, 3]);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
