import { describe, expect, it } from "vitest";
import { StoppedByPerson } from "../../../src/contract/run.ts";
import { pinned, script } from "../../support/run-host.ts";
import { blocked, completed, goOn } from "../acts.ts";
import { Stage } from "../stage.ts";
import type { MakeWorld } from "../world.ts";

const three = [script("first"), script("second"), script("third")];

export function describeDrivers(makeWorld: MakeWorld): void {
  describe("drivers", () => {
    it("G16 of two processes that want the same run one drives it, and the other is told so", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const [driver, other] = [world.host(), world.host()];
      const id = await driver.start("wanted", pinned(three));
      const gate = stage.hold("second#1");
      const drive = driver.drive(id, { handlers: stage.handlers });
      await gate.reached;
      expect(await other.drive(id, { handlers: stage.handlers })).toEqual({ kind: "busy" });
      expect(await driver.drive(id, { handlers: stage.handlers })).toEqual({ kind: "busy" });
      gate.open();
      expect(await drive).toEqual(completed);
      expect(await other.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["first#1", "second#1", "third#1"]);
    });

    it("G16 two processes that come for a dead one's run at the same moment do each step once", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const dying = world.host();
      const id = await dying.start("orphan", pinned(three));
      const gate = stage.hold("second#1");
      void dying.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(dying);
      const heirs = [world.host(), world.host()].map((host) => goOn(host, id, { handlers: stage.handlers }));
      expect(await Promise.all(heirs)).toEqual([completed, completed]);
      expect(stage.calls).toEqual(["first#1", "second#1", "second#1", "third#1"]);
    });

    it("G16 a run that waits is driven by nobody: any process can go on with it", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path, attempt }) => ({ success: path !== "second" || attempt > 1 }));
      const [first, second] = [world.host(), world.host()];
      const id = await first.start("passed-on", pinned(three));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await second.signal(id, { kind: "retry", inputs: {} }, { path: "second", attempt: 1 });
      expect(await second.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["first#1", "second#1", "second#2", "third#1"]);
    });

    it("G16 a taken id gets a number, also between processes", async () => {
      await using world = await makeWorld();
      const hosts = [world.host(), world.host(), world.host()];
      const ids = await Promise.all(hosts.map((host) => host.start("same", pinned(three))));
      expect(ids.toSorted()).toEqual(["same", "same-2", "same-3"]);
      // The process that came too late took no number.
      await Promise.all(hosts.map((host) => host.start("another", pinned(three))));
      const numbers = (await world.allEvents()).map(({ n }) => n);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    });

    it("D1 a person who stops a run is told of in its log; whoever interrupts it otherwise is not", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const host = world.host();
      const id = await host.start("stopped", pinned(three));
      const told: string[] = [];
      for (const reason of [new StoppedByPerson("Ctrl-C"), undefined]) {
        const gate = stage.hold("first#1");
        const stop = new AbortController();
        const drive = goOn(host, id, {
          handlers: stage.handlers,
          signal: stop.signal,
          onLine: (line) => void (line.type === "run.stopped" && told.push(line.reason)),
        });
        await gate.reached;
        stop.abort(reason);
        expect(await drive).toEqual({ kind: "interrupted" });
      }
      expect(told).toEqual(["Ctrl-C"]);
    });

    it("G16 a run that is not there is an error that says so", async () => {
      await using world = await makeWorld();
      await expect(world.host().drive("no-such-run", { handlers: {} })).rejects.toMatchObject({ code: "unknown_run" });
    });
  });
}
