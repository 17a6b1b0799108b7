import { describe, expect, it } from "vitest";
import { pinned, script } from "../../support/run-host.ts";
import { completed, goOn, loop, story } from "../acts.ts";
import { Stage } from "../stage.ts";
import type { MakeWorld } from "../world.ts";

const steps = [
  script("prepare", { output: "word" }),
  loop(
    "outer",
    [
      script("once", { when: "{{eq .iteration 1}}" }),
      loop("inner", [
        script("try", { command: "echo {{.word}} {{.iteration}} {{default `-` .previous.output}}" }),
        script("check", { on_fail: "continue", on_success: "exit_loop" }),
      ]),
    ],
    { max_iterations: 2, on_max_iterations: "exit" },
  ),
  script("finish", { command: "echo {{.previous.output}}" }),
];

const inOrder = [
  "prepare#1",
  "outer[1]/once#1",
  "outer[1]/inner[1]/try#1",
  "outer[1]/inner[1]/check#1",
  "outer[1]/inner[2]/try#1",
  "outer[1]/inner[2]/check#1",
  "outer[2]/inner[1]/try#1",
  "outer[2]/inner[1]/check#1",
  "finish#1",
];

const newStage = (): Stage => new Stage(({ path }) => ({ success: path !== "outer[1]/inner[1]/check" }));

export function describeReplay(makeWorld: MakeWorld): void {
  describe("replay", () => {
    it("G16 a run interrupted after any number of steps ends the same, and no completed step is done again", async () => {
      await using world = await makeWorld();
      const reference = newStage();
      const first = world.host();
      const whole = await first.start("whole", pinned(steps));
      expect(await first.drive(whole, { handlers: reference.handlers })).toEqual(completed);
      expect(reference.calls).toEqual(inOrder);
      const expected = story(await world.events(whole));

      let next = first;
      for (const [done, address] of inOrder.entries()) {
        const stage = newStage();
        const dying = next;
        next = world.host();
        const id = await dying.start(`after-${done}`, pinned(steps));
        const gate = stage.hold(address);
        void dying.drive(id, { handlers: stage.handlers }).catch(() => undefined);
        await gate.reached;
        await world.crash(dying);
        expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
        expect(stage.calls).toEqual([...inOrder.slice(0, done + 1), ...inOrder.slice(done)]);
        expect(stage.values).toEqual(reference.values);
        expect(story(await world.events(id))).toEqual(expected);
      }
    });

    it("G16 a run whose every process dies in the middle of a step comes to its end", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const id = await world.host().start("many-lives", pinned(steps));
      for (const address of inOrder.filter((_, index) => index % 2 === 0)) {
        const dying = world.host();
        const gate = stage.hold(address);
        void goOn(dying, id, { handlers: stage.handlers }).catch(() => undefined);
        await gate.reached;
        await world.crash(dying);
      }
      expect(await goOn(world.host(), id, { handlers: stage.handlers })).toEqual(completed);
      const twice = Object.entries(stage.times).filter(([, times]) => times > 1);
      expect(Object.fromEntries(twice)).toEqual(
        Object.fromEntries(inOrder.filter((_, index) => index % 2 === 0).map((address) => [address, 2])),
      );
    });

    it("G16 values of any shape are the same for the steps that follow, live and after a crash", async () => {
      await using world = await makeWorld();
      const odd = {
        text: "nul \0, quotes \"', lines\r\n\u2028, \u{1f9f5}",
        proto: { constructor: "mine", prototype: [] },
        numbers: [0.1, -0, 1e21, 2 ** 53],
        nothing: null,
        long: "0123456789".repeat(20_000),
      };
      // As JSON has it: `__proto__` is a name like any other.
      const given = JSON.parse(JSON.stringify(odd).replace("proto", "__proto__")) as typeof odd;
      const stage = new Stage(({ path }) => (path === "give" ? { output: given } : undefined));
      const flow = [
        script("give", { output: "value" }),
        script("take", { command: "echo {{json .value}}" }),
        script("take-again", { command: "echo {{json .value}}" }),
      ];
      const [dying, next] = [world.host(), world.host()];
      const id = await dying.start("odd", pinned(flow));
      const gate = stage.hold("take#1");
      void dying.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      const live = stage.values["take#1"];
      await world.crash(dying);
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.values["take#1"]).toEqual(live);
      expect(stage.values["take-again#1"]).toEqual(live);
      expect(JSON.parse(live![0]!)).toEqual(given);
    });

    it("G16 Ctrl-C ends the work at hand without an outcome; it is done again when the run goes on", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const host = world.host();
      const id = await host.start("ctrl-c", pinned(steps));
      const gate = stage.hold("outer[1]/once#1");
      const controller = new AbortController();
      const drive = host.drive(id, { handlers: stage.handlers, signal: controller.signal });
      await gate.reached;
      controller.abort();
      expect(await drive).toEqual({ kind: "interrupted" });
      expect(stage.ended).toEqual({ "outer[1]/once#1": "interrupted" });
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual([...inOrder.slice(0, 2), ...inOrder.slice(1)]);
    });

    it("G16 a fault of a handler's own is told, and damages nothing", async () => {
      await using world = await makeWorld();
      let faults = 1;
      const stage = new Stage(({ path }) => {
        if (path === "second" && faults-- > 0) throw new Error("the handler is broken");
        return undefined;
      });
      const host = world.host();
      const id = await host.start("fault", pinned([script("first"), script("second"), script("third")]));
      await expect(host.drive(id, { handlers: stage.handlers })).rejects.toThrow("the handler is broken");
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["first#1", "second#1", "second#1", "third#1"]);
    });
  });
}
