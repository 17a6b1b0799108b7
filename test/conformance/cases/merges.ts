import { describe, expect, it } from "vitest";
import type { MergeStep } from "../../../src/contract/grimoire.ts";
import { movedResult } from "../../../src/run/merge-results.ts";
import { pinned, script } from "../../support/run-host.ts";
import { at, blocked, completed, goOn, loop, pendingMerge, retry } from "../acts.ts";
import { someOffer, Stage } from "../stage.ts";
import type { MakeWorld } from "../world.ts";

const merge: MergeStep = { name: "merge", type: "merge", require_review: true };
const verifies: MergeStep = { ...merge, name: "last", verify: "run-more-tests" };
const who = { user: "ada", terminal: null, pid: 1, command: "clew run changes", at: "2026-11-16T10:00:00.000Z" };

/** What has to be there before a step: the worktree, and what a merge offers. */
export function describeMerges(makeWorld: MakeWorld): void {
  describe("worktrees and merges", () => {
    it("G12 what moved after the approval is offered again, and the new offer waits for its own approval", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path, attempt, input }) =>
        path === "merge" && attempt === 1 && input.kind === "merge" ? movedResult("main moved") : undefined,
      );
      const first = world.host();
      const id = await first.start("moved", pinned([merge]));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
      await first.signal(id, { kind: "approve" }, at("merge"));
      expect(await goOn(first, id, { handlers: stage.handlers })).toEqual(pendingMerge);
      expect((await world.events(id)).at(-1)).toMatchObject({ message: "main moved", merge: someOffer, attempt: 2 });
      await world.crash(first);
      const next = world.host();
      // Said to the offer that is gone.
      await next.signal(id, { kind: "approve" }, at("merge"));
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(pendingMerge);
      await next.signal(id, { kind: "approve" }, at("merge", 2));
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["offer merge#1", "merge#1", "offer merge#2", "merge#2"]);
    });

    it("G12 whoever goes on with a merge that was cut off while it landed is told so", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      stage.lands = true;
      const first = world.host();
      const id = await first.start("landing", pinned([{ ...merge, require_review: false }]));
      const gate = stage.hold("merge#1");
      const drive = first.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(first);
      const next = world.host();
      gate.open();
      await drive;
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.landings).toEqual(["merge#1 again"]);
    });

    it("G12 verify runs after the offer, once, and a proof is remembered after a crash", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path, input }) =>
        path === "tests" && input.kind === "script" ? { tree: someOffer.tree } : undefined,
      );
      const [first, next] = [world.host(), world.host()];
      const steps = [script("tests", { command: "run-tests" }), { ...merge, verify: "run-tests" }, verifies];
      const id = await first.start("verify", pinned(steps));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
      expect((await world.events(id)).at(-1)).toMatchObject({ merge: { proven: [{ by: "step", path: "tests" }] } });
      await world.crash(first);
      await next.signal(id, { kind: "approve" }, at("merge"));
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(pendingMerge);
      expect((await world.events(id)).at(-1)).toMatchObject({ merge: { proven: [{ by: "verify", path: "last" }] } });
      expect(stage.calls).toEqual(["tests#1", "offer merge#1", "merge#1", "offer last#1", "verify last#1"]);
    });

    it("G12 a verification that was cut off is told to whoever works on the merge next", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const first = world.host();
      const id = await first.start("cut-off", pinned([verifies]));
      const gate = stage.hold("verify last#1");
      const drive = first.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(first);
      const next = world.host();
      gate.open();
      await drive;
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(pendingMerge);
      expect(stage.verifications).toEqual(["verify last#1 again"]);
    });

    for (const isCrash of [false, true]) {
      it(`G12 changes begin the next iteration, which sees the words${isCrash ? ", also after a crash" : ""}`, async () => {
        await using world = await makeWorld();
        const stage = new Stage();
        const first = world.host();
        const steps = [
          loop("l", [
            script("read", { command: 'echo {{default "" .merge.output}}' }),
            { ...merge, on_changes: "continue", on_success: "exit_loop" },
            script("rest"),
          ]),
        ];
        const id = await first.start("changes", pinned(steps));
        expect(await first.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
        await first.signal(id, { kind: "changes", text: "more" }, at("l[1]/merge"), who);
        if (isCrash) await world.crash(first);
        const next = isCrash ? world.host() : first;
        expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(pendingMerge);
        await next.signal(id, { kind: "approve" }, at("l[2]/merge"));
        expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
        expect(stage.values).toMatchObject({ "l[1]/read#1": [""], "l[2]/read#1": ["more"] });
        expect(stage.calls).not.toContain("l[1]/rest#1");
        const ended = (await world.events(id)).filter((event) => event.type === "workflow.step.completed");
        expect(ended.find(({ path }) => path === "l[1]/merge")).toMatchObject({ status: "failed", output: "more" });
      });
    }

    it("G12 changes that a merge does not take are dropped", async () => {
      await using world = await makeWorld();
      const stage = new Stage();
      const host = world.host();
      const id = await host.start("no-changes", pinned([merge]));
      expect(await host.drive(id, { handlers: stage.handlers })).toEqual(pendingMerge);
      await host.signal(id, { kind: "changes", text: "more" }, at("merge"));
      expect(await goOn(host, id, { handlers: stage.handlers })).toEqual(pendingMerge);
    });

    it("G11 the worktree is made before the first step, and not again", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path, attempt }) => (path === "a" && attempt === 1 ? { success: false } : undefined));
      const first = world.host();
      const worktree = { branch: "clew/x", setup: null, copy: [], keep_cancelled: true };
      const id = await first.start("worktree", pinned([script("a")], { worktree }));
      expect(await first.drive(id, { handlers: stage.handlers })).toEqual(blocked);
      await world.crash(first);
      const next = world.host();
      await next.signal(id, retry(), at("a"));
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
      expect(stage.calls).toEqual(["worktree .worktree#1", "a#1", "a#2"]);
      const types = (await world.events(id)).map(({ type }) => type);
      expect(types.slice(0, 2)).toEqual(["workflow.started", "workflow.step.started"]);
    });
  });
}
