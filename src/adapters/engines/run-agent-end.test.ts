import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { maxWaitingBytes } from "../shell/child-input.ts";
import { marked, until } from "../shell/children.fixture.ts";
import { ended, play, start } from "./live-agent.fixture.ts";
import { goodResult, printed, shellEngine } from "./perform.fixture.ts";

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-live-")));
  return () => rmSync(place, { recursive: true });
});

describe("H9 an agent that is ended", () => {
  test.each([
    ["in a command", { run: "sleep 300 & sleep 300" }, "tool_call"],
    ["in a wait", { say: "so much", delay_ms: 300_000 }, "message"],
    ["while it asks", { ask: { tool: "Bash" } }, "permission"],
  ] as const)("H9 stop %s: an interrupt ends the round, and no process is left", async (_, turn, type) => {
    const live = play(place, [turn, { run: "touch late" }]);
    await live.seen(type);
    live.agent.send("one that is never played");
    live.agent.stop();
    live.agent.stop();
    expect(await ended(live)).toMatchObject({ outcome: "interrupted", verdict: { success: false } });
    expect(live.events.findLast((event) => event.type === "result")).toMatchObject({
      failed: true,
      text: "it was interrupted",
    });
    expect(readdirSync(place)).not.toContain("late");
  });

  test("H9 stop before it began", async () => {
    const live = play(place, [{ run: "touch late" }]);
    live.agent.stop();
    expect((await ended(live)).outcome).toBe("interrupted");
    expect(readdirSync(place)).not.toContain("late");
  });

  test("H9 stop of an engine that takes no interrupt is a SIGTERM", async () => {
    const live = start(
      place,
      shellEngine(
        `trap 'echo bye >said; exit' TERM; ${printed({ type: "system", subtype: "init" })}; sleep 300 & wait`,
      ),
      {},
      100,
    );
    await live.seen("init");
    live.agent.stop();
    expect((await ended(live)).outcome).toBe("interrupted");
    expect(readFileSync(join(place, "said"), "utf8")).toBe("bye\n");
  });

  test("H9 kill asks nobody", async () => {
    const live = start(
      place,
      shellEngine(`trap '' TERM; ${printed({ type: "system", subtype: "init" })}; while :; do sleep 1; done`),
    );
    await live.seen("init");
    live.agent.kill();
    expect(await ended(live)).toMatchObject({ outcome: "interrupted", exitCode: null });
  });

  test("H9 kill helps where a stop takes its time", async () => {
    const live = start(
      place,
      shellEngine(`trap '' TERM; ${printed({ type: "system", subtype: "init" })}; while :; do sleep 1; done`),
      {},
      60_000,
    );
    await live.seen("init");
    live.agent.stop();
    live.agent.kill();
    expect((await ended(live)).outcome).toBe("interrupted");
  });

  test("G10 the signal ends it, also before it began", async () => {
    const ending = new AbortController();
    const live = play(place, [{ say: "so much", delay_ms: 300_000 }], { signal: ending.signal });
    await live.seen("message");
    ending.abort("timeout");
    expect((await ended(live)).outcome).toBe("interrupted");
    expect((await ended(play(place, [{ run: "touch late" }], { signal: ending.signal }))).outcome).toBe("interrupted");
    expect(readdirSync(place)).not.toContain("late");
  });
});

describe("H9 an engine that misbehaves", () => {
  test("H9 one that dies fails, though it had given a result before", async () => {
    const live = start(place, shellEngine(`read -r prompt; ${goodResult}; read -r message; kill -9 $$`));
    await live.seen("result");
    live.agent.send("go on");
    expect(await ended(live)).toMatchObject({
      outcome: "failed",
      verdict: { success: false, error: expect.stringContaining("ended by SIGKILL") as string },
      exitCode: null,
    });
  });

  test("H9 one that reads nothing: what it is sent has a limit, and a stop ends it all the same", async () => {
    const live = start(place, shellEngine(`${printed({ type: "system", subtype: "init" })}; sleep 300`), {}, 100);
    await live.seen("init");
    const much = "x".repeat(maxWaitingBytes / 4);
    const sendMuch = (): void => {
      for (let count = 0; count < 6; count++) live.agent.send(much);
    };
    expect(sendMuch).toThrow("the agent has not read what it was sent before");
    live.agent.stop();
    expect((await ended(live)).outcome).toBe("interrupted");
  });

  test("H9 one that closes its stdin refuses messages and comes to its end", async () => {
    const shell = shellEngine(
      `exec 0<&-; ${printed({ type: "system", subtype: "init" })}; until [ -e refused ]; do sleep 0.05; done; ${goodResult}`,
    );
    // Messages that it queues would be worked on after the result.
    const live = start(place, { ...shell, abilities: { ...shell.abilities, send: "joins" } });
    await live.seen("init");
    await until(() => {
      try {
        live.agent.send("anybody?");
        return false;
      } catch (error) {
        return (error as Error).message === "the agent reads no more";
      }
    });
    writeFileSync(join(place, "refused"), "");
    expect((await ended(live)).outcome).toBe("completed");
  });

  test("H9 one that floods is ended", async () => {
    const flood = printed({ type: "assistant", message: { content: [{ type: "text", text: "x".repeat(100_000) }] } });
    const live = start(place, shellEngine(`while :; do ${flood}; done`), { onEvent: () => {} });
    expect(await ended(live)).toMatchObject({
      outcome: "failed",
      verdict: { error: "the engine was ended because it printed too much" },
    });
  });

  test("H9 one that is not there, or cannot play, fails as a value", async () => {
    expect(await ended(play(place, [], { engine: "clod" }))).toEqual({
      outcome: "failed",
      verdict: { success: false, error: "there is no engine clod; known: scripted" },
      exitCode: null,
    });
    expect(await ended(play(place, [{ sya: "x" }]))).toMatchObject({
      outcome: "failed",
      verdict: { error: expect.stringContaining("knows no sya") as string },
      exitCode: 1,
    });
  });
});

describe("G16 a listener that throws", () => {
  const fault = new Error("no room on disk");
  const fail = (): never => {
    throw fault;
  };

  test.each([
    ["onStarted", { onStarted: fail }],
    ["onEvent", { onEvent: fail }],
    ["onStderr", { onStderr: fail }],
  ])("G16 %s: the agent ends, and done rejects with it", async (_, listener) => {
    const live = start(
      place,
      shellEngine(
        `echo begun >begun; yes err | head -n 50000 >&2; ${printed({ type: "system", subtype: "init" })}; sleep 300`,
      ),
      listener,
    );
    await expect(live.agent.done).rejects.toBe(fault);
    expect(marked(live.mark)).toEqual([]);
    expect(readdirSync(place).includes("begun")).toBe(!("onStarted" in listener));
    expect(() => live.agent.send("more")).toThrow("has ended");
  });
});
