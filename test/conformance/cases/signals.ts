import { describe, expect, it } from "vitest";
import type { AgentStep, MergeStep } from "../../../src/contract/grimoire.ts";
import type { Signal } from "../../../src/contract/run.ts";
import type { DriveEnd, RunHost } from "../../../src/run/run-host.ts";
import { pinned, script } from "../../support/run-host.ts";
import { at, blocked, cancelled, completed, goOn, loop, pendingMerge, retry } from "../acts.ts";
import { Stage } from "../stage.ts";
import type { MakeWorld, World } from "../world.ts";

const merge: MergeStep = { name: "merge", type: "merge", require_review: true };
const work = [script("build"), script("test", { command: "echo {{.word}}" }), script("last")];
const variables = { word: "a" };

/** Fails the first attempt at `test`. */
const newStage = (): Stage => new Stage(({ path, attempt }) => ({ success: path !== "test" || attempt > 1 }));

/** When a signal is sent, seen from the restart of a waiting run. Gives the process that goes on. */
const moments: Record<
  string,
  (world: World, waiting: RunHost, send: (host: RunHost) => Promise<void>) => Promise<RunHost>
> = {
  "without a restart": async (_, waiting, send) => {
    await send(waiting);
    return waiting;
  },
  "before a restart": async (world, waiting, send) => {
    await send(waiting);
    await world.crash(waiting);
    return world.host();
  },
  "while nobody drives the run": async (world, waiting, send) => {
    await world.crash(waiting);
    await send(world.host());
    return world.host();
  },
};

const answers: Record<string, { signal: Signal; end: DriveEnd; calls: string[] }> = {
  retry: { signal: retry({ word: "b" }), end: completed, calls: ["build#1", "test#1", "test#2", "last#1"] },
  cancel: { signal: { kind: "cancel" }, end: cancelled, calls: ["build#1", "test#1"] },
};

export function describeSignals(makeWorld: MakeWorld): void {
  describe("signals", () => {
    for (const [moment, sendAt] of Object.entries(moments)) {
      for (const [word, { signal, end, calls }] of Object.entries(answers)) {
        it(`G17 ${word} sent ${moment} is heard once`, async () => {
          await using world = await makeWorld();
          const stage = newStage();
          const first = world.host();
          const id = await first.start(`${word}-run`, pinned(work, { variables }));
          expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
          const to = signal.kind === "cancel" ? null : at("test");
          const next = await sendAt(world, first, (host) => host.signal(id, signal, to));
          expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(end);
          expect(stage.calls).toEqual(calls);
          if (word === "retry") expect(stage.values).toMatchObject({ "test#1": ["a"], "test#2": ["b"] });
        });
      }
    }

    it("G17 a signal sent after a restart finds the run waiting where it did", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const [first, second] = [world.host(), world.host()];
      const id = await first.start("again", pinned(work, { variables }));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await world.crash(first);
      expect(await goOn(second, id, { handlers: stage.handlers })).toEqual(blocked);
      await second.signal(id, retry(), at("test"));
      expect(await second.drive(id, { handlers: stage.handlers })).toEqual(completed);
      const waits = (await world.events(id)).filter(({ type }) => type === "workflow.blocked");
      expect(waits).toHaveLength(1);
    });

    it("G17 a retry that was heard is not heard again after a crash", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const [first, second] = [world.host(), world.host()];
      const id = await first.start("heard", pinned(work, { variables }));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await first.signal(id, retry({ word: "b" }), at("test"));
      const gate = stage.hold("test#2");
      void first.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(first);
      expect(await goOn(second, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["build#1", "test#1", "test#2", "test#2", "last#1"]);
      expect(stage.values["test#2"]).toEqual(["b"]);
    });

    it("G10 a step that waits for a permission blocks its run; only the answer to that request goes on with it, once", async () => {
      await using world = await makeWorld();
      const options = [{ id: "allow", label: "Allow", kind: "allow_once" as const }];
      const request = { id: "q-perm00000001", tool: "Bash", input: { command: "npm publish" }, options };
      const permission = { ...request, engine_session: "s-1" };
      const stage = new Stage(({ path, attempt }) =>
        path === "ask" && attempt === 1 ? { success: false, permission } : undefined,
      );
      const agent: AgentStep = { name: "ask", type: "agent", spell: "Ask.\n", input: {}, on_fail: "continue" };
      const [first, second] = [world.host(), world.host()];
      const id = await first.start("permission", pinned([agent, script("last")]));
      const answer = (asked: string): Signal => ({ kind: "permission", request: asked, option: "allow_once" });
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await first.signal(id, answer("q-perm00000002"), at("ask"));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await first.signal(id, answer(request.id), at("ask"));
      const gate = stage.hold("last#1");
      void first.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(first);
      expect(await goOn(second, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["ask#1", "ask#2", "last#1", "last#1"]);
      expect(stage.answered).toEqual({ "ask#1": undefined, "ask#2": { ...permission, option: "allow_once" } });
      const [wait] = (await world.events(id)).filter((event) => event.type === "workflow.blocked");
      expect(wait).toMatchObject({ blocked_reason: "permission", blocked_context: { permission } });
      const ends = (await world.events(id)).filter((event) => event.type === "workflow.step.completed");
      expect(ends.map(({ status, stopped }) => [status, stopped])).toEqual([
        ["stopped", "permission"],
        ["succeeded", undefined],
        ["succeeded", undefined],
      ]);
    });

    it("G17 a signal sent twice counts once", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path }) => ({ success: path !== "test" }));
      const host = world.host();
      const id = await host.start("twice", pinned(work, { variables }));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await host.signal(id, retry(), at("test"));
      await host.signal(id, retry(), at("test"));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      expect(stage.calls).toEqual(["build#1", "test#1", "test#2"]);
    });

    it("G17 a signal to another wait is dropped", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const host = world.host();
      const id = await host.start("other", pinned(work, { variables }));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await host.signal(id, retry(), at("build"));
      await host.signal(id, retry(), at("test", 2));
      await host.signal(id, { kind: "approve" }, at("test"));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      expect(stage.calls).toEqual(["build#1", "test#1"]);
      await host.signal(id, retry(), at("test"));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(completed);
    });

    it("G9 retrying a loop that hit its maximum grants as many iterations again, also after a crash", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path }) => ({ success: path === "l[3]/try" }));
      const flow = [
        loop("l", [script("try", { on_fail: "continue", on_success: "exit_loop" })], { max_iterations: 2 }),
      ];
      const [first, second] = [world.host(), world.host()];
      const id = await first.start("more", pinned(flow));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await world.crash(first);
      await second.signal(id, retry(), at("l"));
      expect(await goOn(second, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["l[1]/try#1", "l[2]/try#1", "l[3]/try#1"]);
    });

    it("G7 a condition that gives no boolean fails the run, which waits", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const host = world.host();
      const flow = [script("odd", { when: "{{.word}}" })];
      const id = await host.start("condition", pinned(flow, { variables: { word: "true" } }));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual({ kind: "stopped", status: "failed" });
      await host.signal(id, retry({ word: true }), at("odd"));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["odd#2"]);
    });

    for (const [moment, sendAt] of Object.entries(moments)) {
      it(`G12 approval sent ${moment} lets the merge proceed`, async () => {
        await using world = await makeWorld();
        const stage = new Stage();
        const first = world.host();
        const id = await first.start("approve", pinned([script("build"), merge]));
        expect(await first.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
        const next = await sendAt(world, first, (host) => host.signal(id, { kind: "approve" }, at("merge")));
        expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
        expect(stage.calls).toEqual(["build#1", "offer merge#1", "merge#1"]);
      });

      it(`G12 rejection sent ${moment} blocks with its reason, and asks anew when retried`, async () => {
        await using world = await makeWorld();
        const stage = new Stage();
        const first = world.host();
        const id = await first.start("reject", pinned([merge]));
        expect(await first.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
        const no: Signal = { kind: "reject", reason: "too big" };
        const next = await sendAt(world, first, async (host) => {
          await host.signal(id, no, at("merge"));
          await host.signal(id, no, at("merge"));
        });
        expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(blocked);
        expect((await world.events(id)).at(-1)).toMatchObject({ blocked_reason: "rejected", message: /too big/ });
        await next.signal(id, retry(), at("merge"));
        expect(await next.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
        expect(stage.calls).toEqual(["offer merge#1", "offer merge#2"]);
      });
    }

    it("G17 a cancel from another process ends the work at hand", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const [driver, other] = [world.host(), world.host()];
      const id = await driver.start("stop", pinned(work, { variables }));
      const gate = stage.hold("test#1");
      const drive = driver.drive(id, { handlers: stage.handlers });
      await gate.reached;
      await other.signal(id, { kind: "cancel" }, null);
      expect(await drive).toEqual(cancelled);
      expect(stage.ended).toEqual({ "test#1": "cancelled" });
      expect(stage.calls).toEqual(["build#1", "test#1"]);
      expect((await world.events(id)).slice(-2)).toMatchObject([
        { type: "workflow.step.completed", path: "test", status: "stopped", stopped: "cancelled" },
        { type: "workflow.cancelled" },
      ]);
    });

    it("G17 a cancel that comes before the run is driven lets no step begin", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const host = world.host();
      const id = await host.start("never", pinned(work, { variables }));
      await host.signal(id, { kind: "cancel" }, null);
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(cancelled);
      expect(stage.calls).toEqual([]);
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(cancelled);
    });

    it("G17 a cancel that nobody heard because the driver died is heard by the next", async () => {
      await using world = await makeWorld();
      const stage = newStage();
      const [dying, next] = [world.host(), world.host()];
      const id = await dying.start("unheard", pinned(work, { variables }));
      const gate = stage.hold("build#1");
      void dying.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(dying);
      await next.signal(id, { kind: "cancel" }, null);
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(cancelled);
      expect(stage.calls).toEqual(["build#1"]);
    });
  });
}
