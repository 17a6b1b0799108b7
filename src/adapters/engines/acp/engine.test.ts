import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ended, start } from "../live-agent.fixture.ts";
import { acpEngine } from "./engine.ts";

const mine = acpEngine("mine", [process.execPath, join(import.meta.dirname, "agent.fixture.mjs")]);
let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-acp-")));
  return () => rmSync(place, { recursive: true });
});

test("H9 W2 a user's own agent works until it has given its result, and ends", async () => {
  const live = start(place, mine, { until: "result" });
  expect(await ended(live)).toEqual({
    outcome: "completed",
    rounds: 1,
    verdict: { success: true, result: { success: true, summary: "done" } },
    exitCode: 0,
    usage: { input_tokens: 10, output_tokens: 1 },
  });
  expect(live.events[0]).toEqual({ type: "init", engine_session: "own-1" });
  expect(live.transcript()).toContain("session/update");
});

test.each([
  ["a", true],
  ["r", false],
])("H9 its permission is answered by %s", async (option, isDone) => {
  const live = start(place, mine, { prompt: "run touch done", until: "answer" });
  const { id, action } = await live.seen("permission");
  expect(action).toEqual({ kind: "run", command: "touch done" });
  live.agent.answer(id, option);
  expect((await ended(live)).outcome).toBe("completed");
  expect(existsSync(join(place, "done"))).toBe(isDone);
});

test("H9 a message waits for the round's end, also where the agent would end after its result", async () => {
  const live = start(place, mine, { prompt: "run sleep 0.5", until: "result" });
  const { id } = await live.seen("permission");
  live.agent.send("the result, please");
  live.agent.answer(id, "a");
  expect(await ended(live)).toMatchObject({ outcome: "completed", verdict: { success: true } });
  expect(live.events.filter(({ type }) => type === "result")).toHaveLength(2);
});

test("H9 a stop in the middle of a command, and while it asks, leaves no process", async () => {
  const live = start(place, mine, { prompt: "run touch begun; exec sleep 300" });
  live.agent.answer((await live.seen("permission")).id, "a");
  while (!existsSync(join(place, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
  live.agent.stop();
  expect((await ended(live)).outcome).toBe("interrupted");
  const asking = start(place, mine, { prompt: "run touch never" });
  await asking.seen("permission");
  asking.agent.stop();
  expect((await ended(asking)).outcome).toBe("interrupted");
  expect(existsSync(join(place, "never"))).toBe(false);
});

test("W2 what it cannot do, and that it is missing, is told", async () => {
  const resumed = await ended(start(place, mine, { resume: "own-0", until: "answer" }));
  expect(resumed.verdict).toMatchObject({ error: expect.stringMatching(/cannot go on with an earlier session/) });
  const missing = await ended(start(place, acpEngine("mine", ["no-such-agent"]), { until: "answer" }));
  expect(missing.verdict).toMatchObject({ error: expect.stringMatching(/no-such-agent/) });
});
