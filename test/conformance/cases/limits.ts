import { describe, expect, it } from "vitest";
import { pinned, script } from "../../support/run-host.ts";
import { at, blocked, completed, goOn, loop, retry } from "../acts.ts";
import { Stage } from "../stage.ts";
import type { MakeWorld } from "../world.ts";

export function describeLimits(makeWorld: MakeWorld): void {
  // What must fit into a limit gets ten seconds, as on a busy machine; so they are waited for side by side.
  describe.concurrent("limits", () => {
    it("G10 a step that takes too long is ended and has failed", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const host = world.host();
      const id = await host.start("slow-step", pinned([script("slow", { timeout_ms: 50 }), script("next")]));
      stage.hold("slow#1");
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      expect(stage.ended).toEqual({ "slow#1": "timeout" });
      expect((await world.events(id)).at(-1)).toMatchObject({
        type: "workflow.blocked",
        path: "slow",
        blocked_reason: "step_failed",
        message: expect.stringContaining("took longer than 50ms") as unknown,
      });
      await host.signal(id, retry(), at("slow"));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["slow#1", "slow#2", "next#1"]);
    });

    it("G10 a run that takes too long waits, and a retry grants the whole time again, also after a crash", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const [first, second] = [world.host(), world.host()];
      const id = await first.start("slow-run", pinned([script("quick"), script("slow")], { timeout_ms: 10_000 }));
      stage.hold("slow#1");
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      expect(stage.ended).toEqual({ "slow#1": "timeout" });
      expect((await world.events(id)).slice(-2)).toMatchObject([
        { type: "workflow.step.completed", path: "slow", status: "stopped", stopped: "timeout", scope: null },
        { type: "workflow.blocked", path: "slow", blocked_reason: "timeout" },
      ]);
      await world.crash(first);
      await second.signal(id, retry(), at("slow"));
      expect(await goOn(second, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["quick#1", "slow#1", "slow#2"]);
    });

    it("G10 a loop that takes too long ends the step in it, and waits as a whole", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path }) => ({ success: path.startsWith("l[2]/") }));
      const host = world.host();
      const inner = loop("inner", [script("try", { on_fail: "continue", on_success: "exit_loop" })]);
      const flow = [loop("l", [inner, script("done", { on_success: "exit_loop" })], { timeout_ms: 10_000 })];
      const id = await host.start("slow-loop", pinned(flow));
      stage.hold("l[1]/inner[2]/try#1");
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      const events = await world.events(id);
      expect(events.at(-2)).toMatchObject({ status: "stopped", stopped: "timeout", scope: at("l") });
      expect(events.at(-1)).toMatchObject({ type: "workflow.blocked", path: "l", blocked_reason: "timeout" });
      await host.signal(id, retry(), at("l"));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["l[1]/inner[1]/try#1", "l[1]/inner[2]/try#1", "l[2]/inner[1]/try#1", "l[2]/done#1"]);
    });
  });
}
