import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pinned, script } from "../support/run-host.ts";
import { at, blocked, completed, loop, retry } from "./acts.ts";
import { Machine } from "./machine.ts";
import { Stage } from "./stage.ts";
import { expectRightWhenStruck, unstruck, type Strike, type Tale } from "./struck-run.ts";

/** Too long to stand in the journal itself. */
const long = "a line of output\n".repeat(4_000);

const winding: Tale = {
  flow: pinned([
    script("prepare", { output: "word" }),
    loop("outer", [
      script("once", { when: "{{eq .iteration 1}}" }),
      loop("inner", [script("try"), script("enough", { on_fail: "continue", on_success: "exit_loop" })]),
      script("out", { when: "{{eq .iteration 2}}", on_success: "exit_loop" }),
    ]),
    script("big", { output: "long" }),
    script("check", { command: "echo {{.word}} {{.long}}" }),
    script("finish"),
  ]),
  newStage: () =>
    new Stage(({ path, attempt }) => ({
      success: path !== "outer[1]/inner[1]/enough" && (path !== "check" || attempt > 1),
      ...(path === "big" && { output: long }),
    })),
  calls: [
    "prepare#1",
    "outer[1]/once#1",
    "outer[1]/inner[1]/try#1",
    "outer[1]/inner[1]/enough#1",
    "outer[1]/inner[2]/try#1",
    "outer[1]/inner[2]/enough#1",
    "outer[2]/inner[1]/try#1",
    "outer[2]/inner[1]/enough#1",
    "outer[2]/out#1",
    "big#1",
    "check#1",
    "check#2",
    "finish#1",
  ],
  blocksAt: at("check"),
};

const short: Tale = {
  flow: pinned([script("first"), script("second")]),
  newStage: () => new Stage(({ path, attempt }) => ({ success: path !== "second" || attempt > 1 })),
  calls: ["first#1", "second#1", "second#2"],
  blocksAt: at("second"),
};

const restarts: Record<string, Strike["restart"]> = {
  "a kill": (machine) => machine.kill(),
  "a power cut that takes all that was not synced": (machine) => machine.cutPower(() => 0),
  "a power cut that takes half of it": (machine) => machine.cutPower(() => 0.5),
};
const { "a kill": kill, "a power cut that takes all that was not synced": cut } = restarts;

describe("runs on files, whatever breaks", () => {
  for (const [fault, restart] of Object.entries(restarts)) {
    it(`G16 after ${fault} at any write, the run goes on after its last completed step`, async () => {
      const expected = await unstruck(winding);
      // To do nothing of one write is to do all of the one before.
      for (const part of [0.5, 1]) {
        for (let write = 1; (await expectRightWhenStruck(winding, [{ write, part, restart }], expected)) > 0; write++);
      }
    });
  }

  it("G16 what a killed process wrote and did not sync holds once another has built on it", async () => {
    const expected = await unstruck(short);
    for (let first = 1; ; first++) {
      for (let second = 1; ; second++) {
        const killed = { write: first, part: 1, restart: kill! };
        const strikes = await expectRightWhenStruck(
          short,
          [killed, { write: second, part: 1, restart: cut! }],
          expected,
        );
        if (strikes === 0) return;
        if (strikes === 1) break;
      }
    }
  });

  it("G16 the run comes to its end however often and however it is struck", async () => {
    const strike = fc.record<Strike>({
      write: fc.integer({ min: 1, max: 60 }),
      part: fc.constantFrom(0, 0.3, 0.9, 1),
      restart: fc.oneof(
        fc.constant(kill!),
        fc.constantFrom(0, 0.2, 0.7, 1).map((kept) => (machine: Machine) => machine.cutPower(() => kept)),
      ),
    });
    const expected = await unstruck(winding);
    await fc.assert(
      fc.asyncProperty(fc.array(strike, { minLength: 2, maxLength: 12 }), async (strikes) => {
        await expectRightWhenStruck(winding, strikes, expected);
      }),
      { numRuns: 30 },
    );
  });

  it("G16 a last line that was cut short anywhere is closed, told, and what it said is told again", async () => {
    const whole = await blockedRun();
    const bytes = whole.machine.disk.read(whole.path)!;
    const lastLine = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
    const expected = whole.machine.events(whole.runId).length;
    for (let size = lastLine + 1; size < bytes.length; size++) {
      const { machine, runId, path, stage } = await blockedRun();
      machine.disk.truncate(path, size);
      expect(await machine.host().drive(runId, { handlers: stage.handlers })).toEqual(blocked);
      expect(machine.lines(runId)).toContainEqual(
        expect.objectContaining({ type: "run.torn", bytes: size - lastLine }),
      );
      expect(machine.events(runId)).toHaveLength(expected);
      expect(machine.numbers).toEqual(machine.numbers.map((_, index) => index + 1));
      expect(stage.calls).toEqual(["first#1", "second#1"]);
    }
  });

  it("G16 a damaged line in the middle stops the run with its file and line, and nothing is made worse", async () => {
    const { machine, runId, path, stage } = await blockedRun();
    const good = machine.disk.read(path)!.toString("utf8");
    const lines = good.split("\n");
    for (const [index, line] of lines.entries()) {
      // The others are only there for people to read.
      if (!line.startsWith('{"type":"workflow.')) continue;
      const damaged = lines.with(index, `${line.slice(0, line.length / 2)}\u0000`).join("\n");
      machine.disk.replace(path, Buffer.from(damaged));
      await expect(machine.host().drive(runId, { handlers: stage.handlers })).rejects.toMatchObject({
        code: "damaged_run",
        message: expect.stringContaining(`${path}:${index + 1}`) as unknown,
      });
      expect(machine.disk.read(path)!.toString("utf8")).toBe(damaged);
    }
    const other = await machine.host().start("other", pinned([script("alone")]));
    expect(await machine.host().drive(other, { handlers: stage.handlers })).toEqual(completed);
    machine.disk.replace(path, Buffer.from(good));
    await machine.host().signal(runId, retry(), at("second"));
    expect(await machine.host().drive(runId, { handlers: stage.handlers })).toEqual(completed);
    expect(stage.calls).toEqual(["first#1", "second#1", "alone#1", "second#2"]);
  });
});

async function blockedRun(): Promise<{ machine: Machine; runId: string; path: string; stage: Stage }> {
  const machine = new Machine();
  const stage = short.newStage();
  const host = machine.host();
  const runId = await host.start("run", short.flow);
  expect(await host.drive(runId, { handlers: stage.handlers })).toEqual(blocked);
  return { machine, runId, path: machine.journal(runId), stage };
}
