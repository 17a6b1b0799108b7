import { describe, expect, it } from "vitest";
import type { MergeStep } from "../../../src/contract/grimoire.ts";
import { moved } from "../../../src/run/merge-results.ts";
import { pinned, script } from "../../support/run-host.ts";
import { at, blocked, completed, goOn, pendingMerge, retry } from "../acts.ts";
import { someOffer, Stage } from "../stage.ts";
import type { MakeWorld } from "../world.ts";

const merge: MergeStep = { name: "merge", type: "merge", require_review: true };

/** What has to be there before a step: the worktree, and what a merge offers. */
export function describeMerges(makeWorld: MakeWorld): void {
  describe("worktrees and merges", () => {
    it("G12 what moved after the approval is offered again, and the new offer waits for its own approval", async () => {
      await using world = await makeWorld();
      const stage = new Stage(({ path, attempt, input }) =>
        path === "merge" && attempt === 1 && input.kind === "merge" ? moved("main moved") : undefined,
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
