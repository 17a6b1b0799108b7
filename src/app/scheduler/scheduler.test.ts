import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bead, World, type Job } from "../../../test/support/scheduler-world.ts";

describe("what begins, and when", () => {
  test("G19 by priority, then age, never more at once than allowed", async () => {
    const world = new World(2, [
      { bead: bead("late", 2) },
      { bead: bead("young", 1, { created_at: "2026-11-02T00:00:00Z" }) },
      { bead: bead("old", 1, { created_at: "2026-11-01T00:00:00Z" }) },
      { bead: bead("urgent", 0) },
    ]);
    await world.play();
    expect(world.tried).toEqual(["urgent", "old", "young", "late"]);
    expect(world.mostAtOnce).toBe(2);
    expect(world.told("scheduler.opened")).toMatchObject([{ ready: 4, to_resume: 0, limit: 2 }]);
  });

  test("G19 a place that becomes free is taken at once, not at the next look", async () => {
    const world = new World(1, [
      { bead: bead("a"), takesMs: 10 },
      { bead: bead("b"), takesMs: 10 },
    ]);
    await world.play();
    expect(world.nowMs).toBeLessThan(100);
  });

  test("G19 runs that others drive take a place; those that wait for a person do not", async () => {
    const world = new World(
      2,
      ["x", "y", "a", "b"].map((id) => ({ bead: bead(id) })),
    );
    const elsewhere = world.addRun("x", "running");
    world.addRun("y", "blocked");
    world.at(5_000, () => world.end(elsewhere));
    await world.play();
    expect([world.tried, world.mostAtOnce]).toEqual([["a", "b"], 2]);
    expect(world.told("scheduler.rested").map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(world.told("scheduler.closed")).toMatchObject([{ blocked: 1, backed_off: 0 }]);
  });

  test("G19 D1 while nothing is at hand it looks rarely, and at once when something changes", async () => {
    const world = new World(1, [{ bead: bead("a"), fromMs: 30_500 }]);
    world.addRun("b", "blocked");
    world.areChangesWatched = true;
    world.at(30_500, () => world.change());
    await world.play({ once: false, untilMs: 60_000 });
    const started = world.told("scheduler.started").map(({ atMs }) => atMs);
    expect(started).toEqual([expect.any(Number)]);
    expect(started[0]! - 30_500).toBeLessThan(500);
    expect(world.looks).toBeLessThan(12);
  });

  test("G19 where the system tells of no changes, and while others drive runs, it looks every second", async () => {
    const alone = new World(1, []);
    await alone.play({ once: false, untilMs: 20_000 });
    const beside = new World(1, [{ bead: bead("a") }]);
    beside.areChangesWatched = true;
    beside.addRun("a", "running");
    await beside.play({ once: false, untilMs: 20_000 });
    for (const { looks } of [alone, beside]) expect(looks).toBeGreaterThan(18);
  });

  test("G19 what was interrupted goes before what is ready, the oldest first", async () => {
    const world = new World(1, [{ bead: bead("new", 0) }, { bead: bead("first") }, { bead: bead("second") }]);
    world.addRun("first", "interrupted");
    world.addRun("second", "interrupted");
    await world.play();
    expect(world.told("scheduler.rested").map(({ bead_id }) => bead_id)).toEqual(["first", "second", "new"]);
    expect(world.told("scheduler.resumed").map(({ was }) => was)).toEqual(["interrupted", "interrupted"]);
    expect(world.tried).toEqual(["new"]);
  });

  test("G19 a run that a person has just begun is left to the person, and keeps its place", async () => {
    const world = new World(1, [
      { bead: bead("mine"), fromMs: 60_000 },
      { bead: bead("other"), fromMs: 3_500 },
    ]);
    world.at(3_400, () => {
      const run = world.addRun("mine", "interrupted");
      world.at(4_100, () => (run.status = "running"));
      world.at(9_000, () => world.end(run));
    });
    await world.play({ once: false, untilMs: 12_000 });
    expect(world.told("scheduler.resumed")).toEqual([]);
    expect(world.told("scheduler.started").map(({ bead_id, atMs }) => [bead_id, atMs >= 9_000])).toEqual([
      ["other", true],
    ]);
  });

  test("G19 a run of another process that died is taken up", async () => {
    const world = new World(1, [{ bead: bead("a") }]);
    const run = world.addRun("a", "running");
    world.at(2_500, () => (run.status = "interrupted"));
    await world.play();
    expect(world.told("scheduler.rested")).toMatchObject([{ run_id: run.id, status: "completed" }]);
  });

  test("G19 a waiting run goes on when a person has left a pendingSignalId for it, and never gets a second run", async () => {
    const world = new World(3, [{ bead: bead("a"), ends: "blocked" }]);
    world.at(30_000, () => (world.runs.get("run-1")!.pendingSignalId = "retry"));
    await world.play({ once: false, untilMs: 60_000 });
    expect(world.tried).toEqual(["a"]);
    expect(world.told("scheduler.rested").map(({ status }) => status)).toEqual(["blocked", "completed"]);
    expect(world.told("scheduler.resumed")).toMatchObject([{ was: "blocked" }]);
  });

  test("G19 somebody who was faster keeps the bead", async () => {
    const world = new World(1, [{ bead: bead("a") }, { bead: bead("b") }]);
    const start = world.start.bind(world);
    world.start = async (id) => {
      // Between the look and the start.
      if (id === "a" && world.tried.length === 0) {
        const run = world.addRun("a", "running");
        world.at(20_000, () => world.end(run));
      }
      return start(id);
    };
    await world.play();
    expect(world.runs.size).toBe(2);
    expect(world.told("scheduler.backed_off")).toEqual([]);
    expect(world.told("scheduler.started").map(({ bead_id }) => bead_id)).toEqual(["b"]);
  });
});

describe("what fails", () => {
  test("G19 with --once, everything is tried before it ends, and what failed is counted", async () => {
    const world = new World(2, [{ bead: bead("a") }, { bead: bead("b") }, { bead: bead("c") }]);
    // However soon after a look it fails.
    for (let turns = 0; turns < 12; turns++) {
      world.start = async (id) => {
        for (let turn = 0; turn < turns * "abc".indexOf(id); turn++) await Promise.resolve();
        throw new Error(`cannot start ${id}`);
      };
      expect(await world.play()).toMatchObject({ backed_off: 3 });
    }
  });

  test("G19 after a start that went well, counting begins anew", async () => {
    const world = new World(1, [{ bead: bead("a"), startFailures: 1 }]);
    world.at(30_000, () => Object.assign(world.job("a"), { staysOpen: true, startFailures: 1 }));
    await world.play({ once: false, untilMs: 60_000 });
    expect(world.told("scheduler.backed_off").map(({ failures }) => failures)).toEqual([1, 1]);
  });

  test("G19 a bead whose run cannot be seen is not asked for without end", async () => {
    const world = new World(1, [{ bead: bead("a") }]);
    world.start = async (id) => {
      world.tried.push(id);
      return { runId: "unseen", isNew: false };
    };
    await world.play({ once: false, untilMs: 30_000 });
    expect(world.tried).toHaveLength(3);
  });

  test("G19 a bead that cannot start backs off, longer each time, and holds nobody up", async () => {
    const others = Array.from({ length: 5 }, (_, at) => ({ bead: bead(`b${at}`, 3) }));
    const world = new World(1, [{ bead: bead("bad", 0), startFailures: 12 }, ...others]);
    await world.play({ once: false, untilMs: 4_000_000 });
    expect(world.tried.slice(0, 6)).toEqual(["bad", "b0", "b1", "b2", "b3", "b4"]);
    const waits = world.told("scheduler.backed_off").map(({ wait_ms }) => wait_ms / 1_000);
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600]);
    expect(world.told("scheduler.backed_off")[0]).toMatchObject({
      message: "unexpected: cannot start bad",
      run_id: null,
    });
    expect(world.told("scheduler.rested").at(-1)).toMatchObject({ bead_id: "bad", status: "completed" });
  });

  test("G19 a bead that changed is tried again at once; what a start writes is no change", async () => {
    const world = new World(1, [{ bead: bead("bad"), startFailures: 4 }]);
    world.at(1_000, () => Object.assign(world.job("bad"), { bead: bead("bad", 2, { updated_at: "2026-11-16" }) }));
    world.at(6_000, () => Object.assign(world.job("bad"), { bead: bead("bad", 2, { labels: ["grimoire:good"] }) }));
    await world.play({ once: false, untilMs: 8_000 });
    expect(world.told("scheduler.backed_off").map(({ atMs, wait_ms }) => [Math.floor(atMs / 1_000), wait_ms])).toEqual([
      [0, 5_000],
      [5, 10_000],
      [6, 5_000],
    ]);
  });

  test("G19 a bead that could not start is tried again at once when something around it changed, and only then", async () => {
    const world = new World(1, [{ bead: bead("bad"), startFailures: 2 }]);
    world.at(1_500, () => (world.surroundings = "mended"));
    await world.play({ once: false, untilMs: 4_500 });
    expect(world.told("scheduler.backed_off").map(({ atMs, failures }) => [Math.floor(atMs / 1000), failures])).toEqual(
      [
        [0, 1],
        [2, 1],
      ],
    );
  });

  test("G14 G19 what could not start is kept for the inbox until it starts or is not ready any more", async () => {
    const world = new World(2, [
      { bead: bead("bad"), startFailures: 99 },
      { bead: bead("soon"), startFailures: 1 },
    ]);
    world.refused.add("gone");
    const seen: string[][] = [];
    world.at(500, () => seen.push([...world.refused]));
    world.at(10_000, () => seen.push([...world.refused]));
    await world.play({ once: false, untilMs: 11_000 });
    expect(seen).toEqual([["bad", "soon"], ["bad"]]);
  });

  test("G19 among equals, one that failed comes last", async () => {
    const world = new World(1, [
      { bead: bead("a"), startFailures: 1 },
      { bead: bead("b"), takesMs: 20_000 },
      { bead: bead("c") },
      { bead: bead("less", 3) },
    ]);
    await world.play();
    expect(world.tried).toEqual(["a", "b", "c", "a", "less"]);
  });

  test("G19 a driver that dies is told, backs off and is tried again; the others go on", async () => {
    const world = new World(2, [{ bead: bead("a"), driverFailures: 2 }, { bead: bead("b") }]);
    await world.play({ once: false, untilMs: 60_000 });
    expect(
      world.told("scheduler.backed_off").map(({ bead_id, run_id, wait_ms }) => [bead_id, run_id, wait_ms]),
    ).toEqual([
      ["a", "run-1", 5_000],
      ["a", "run-1", 10_000],
    ]);
    expect(world.told("scheduler.rested").map(({ bead_id }) => bead_id)).toEqual(["b", "a"]);
    expect(world.tried).toEqual(["a", "b"]);
  });

  test("G19 a person's pendingSignalId to a run that backs off is heard at once", async () => {
    const world = new World(1, [{ bead: bead("a"), driverFailures: 8 }]);
    world.at(100_000, () => Object.assign(world.runs.get("run-1")!, { pendingSignalId: "cancel" }));
    world.job("a").takesMs = 1;
    await world.play({ once: false, untilMs: 102_000 });
    expect(world.told("scheduler.backed_off").at(-1)).toMatchObject({ failures: 1, wait_ms: 5_000 });
    expect(world.told("scheduler.backed_off").at(-1)!.atMs).toBeGreaterThanOrEqual(100_000);
  });

  test("G19 beads that cannot be read are told once; runs go on meanwhile", async () => {
    const world = new World(1, [{ bead: bead("a") }, { bead: bead("b") }]);
    world.addRun("a", "interrupted");
    world.beadsFault = new Error("the beads are damaged");
    world.at(10_000, () => (world.beadsFault = undefined));
    await world.play({ once: false, untilMs: 20_000 });
    expect(world.told("scheduler.trouble").map(({ message }) => message)).toEqual([
      "unexpected: the beads are damaged",
    ]);
    expect(world.told("scheduler.rested").map(({ bead_id }) => bead_id)).toEqual(["a", "b"]);
  });

  test("G19 with --once, beads that cannot be read end it, after what runs has ended", async () => {
    const world = new World(1, [{ bead: bead("a") }]);
    world.addRun("a", "interrupted");
    world.beadsFault = new Error("the beads are damaged");
    await expect(world.play()).rejects.toThrow("the beads are damaged");
    expect(world.told("scheduler.rested")).toHaveLength(1);
    expect(world.isHeld).toBe(false);
  });
});

describe("what is left alone", () => {
  test("G19 a bead that stays ready although its run completed, until it changes", async () => {
    const world = new World(1, [{ bead: bead("a"), staysOpen: true }]);
    world.at(30_000, () => Object.assign(world.job("a"), { bead: bead("a", 2, { updated_at: "2026-11-16" }) }));
    await world.play({ once: false, untilMs: 60_000 });
    expect(world.tried).toEqual(["a", "a"]);
    expect(world.told("scheduler.left").map(({ because }) => because)).toEqual(["completed", "completed"]);
  });

  test("G19 also when beads could not be read at that moment", async () => {
    const world = new World(1, [{ bead: bead("a"), staysOpen: true, takesMs: 5_000 }]);
    world.at(3_000, () => (world.beadsFault = new Error("the beads are damaged")));
    world.at(9_000, () => (world.beadsFault = undefined));
    await world.play({ once: false, untilMs: 30_000 });
    expect(world.tried).toEqual(["a"]);
  });

  test("G19 a bead that its run closed and that a person opened again is worked on again", async () => {
    const world = new World(1, [{ bead: bead("a") }]);
    world.at(30_000, () => (world.job("a").staysOpen = true));
    await world.play({ once: false, untilMs: 60_000 });
    expect(world.tried).toEqual(["a", "a"]);
  });

  test("G19 a bead whose run a person cancelled, until it changes", async () => {
    const world = new World(1, [{ bead: bead("a"), ends: "cancelled" }]);
    world.at(30_000, () => {
      Object.assign(world.job("a"), {
        bead: bead("a", 2, { notes: "another way" }),
        ends: "completed",
        staysOpen: true,
      });
    });
    await world.play({ once: false, untilMs: 60_000 });
    expect(world.tried).toEqual(["a", "a"]);
    expect(world.told("scheduler.left").map(({ because }) => because)).toEqual(["cancelled", "completed"]);
  });
});

describe("how it stops", () => {
  test("G19 the steps at hand are ended and waited for, nothing more begins, and the next one takes the runs up", async () => {
    const world = new World(
      2,
      ["a", "b", "c"].map((id) => ({ bead: bead(id), takesMs: 60_000 })),
    );
    await world.play({ once: false, untilMs: 5_000 });
    expect([world.nowMs, world.busy.size, world.isHeld]).toEqual([5_000, 0, false]);
    expect(world.events.map(({ type }) => type).slice(-4)).toEqual([
      "scheduler.stopping",
      "scheduler.interrupted",
      "scheduler.interrupted",
      "scheduler.closed",
    ]);
    await world.play();
    expect(world.told("scheduler.resumed").map(({ bead_id }) => bead_id)).toEqual(["a", "b"]);
    expect(world.tried).toEqual(["a", "b", "c"]);
    expect([...world.runs.values()].every(({ isOver }) => isOver)).toBe(true);
  });

  test("G19 a run that was being started is not driven any more", async () => {
    const world = new World(1, [{ bead: bead("a") }]);
    await world.play({ once: false, untilMs: 0.5 });
    expect(world.events.map(({ type }) => type).slice(1)).toEqual([
      "scheduler.stopping",
      "scheduler.started",
      "scheduler.closed",
    ]);
    expect(world.told("scheduler.closed")).toMatchObject([{ interrupted: 1 }]);
  });

  test("G19 one scheduler at a time", async () => {
    const world = new World(1, [{ bead: bead("a") }]);
    world.isHeld = true;
    await expect(world.play()).rejects.toThrow("another scheduler is at work");
    expect([world.tried, world.isHeld]).toEqual([[], true]);
  });

  test("G19 nothing to do is told once, and again after something was done", async () => {
    const world = new World(1, [
      { bead: bead("a"), fromMs: 10_000 },
      { bead: bead("bad"), startFailures: 99 },
    ]);
    await world.play({ once: false, untilMs: 60_000 });
    expect(world.told("scheduler.idle").map(({ atMs, backed_off }) => [atMs > 10_000, backed_off])).toEqual([
      [false, 1],
      [true, 1],
    ]);
  });
});

const job = (at: number): fc.Arbitrary<Job> =>
  fc
    .record({
      priority: fc.nat(4),
      startFailures: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
      driverFailures: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
      takesMs: fc.integer({ min: 1, max: 20_000 }),
      fromMs: fc.oneof(fc.constant(0), fc.nat(30_000)),
      staysOpen: fc.boolean(),
    })
    .map(({ priority, ...rest }) => ({ bead: bead(`b${at}`, priority), ...rest }));

test("G19 whatever fails: never twice at once, never too many, the most urgent first, and all that can gets done", async () => {
  const jobs = fc
    .integer({ min: 1, max: 10 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => job(at))));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), jobs, fc.nat(20_000), async (limit, made, otherEndsMs) => {
      const world = new World(limit, [...made.map((each) => ({ ...each })), { bead: bead("other") }]);
      const other = world.addRun("other", "running");
      world.at(otherEndsMs, () => world.end(other));
      const outranked: string[] = [];
      const start = world.start.bind(world);
      world.start = async (id) => {
        const taken = new Set([...world.runs.values()].filter(({ isOver }) => !isOver).map(({ bead_id }) => bead_id));
        const untried = world.lastReady.filter((each) => !world.tried.includes(each.id) && !taken.has(each.id));
        const mine = world.job(id).bead.priority!;
        for (const each of untried) if (each.priority! < mine) outranked.push(`${each.id} before ${id}`);
        return start(id);
      };
      await world.play({ once: false, untilMs: 1_000_000 });
      expect(outranked).toEqual([]);
      expect(world.mostAtOnce).toBeLessThanOrEqual(Math.max(limit, 1));
      const completed = world.told("scheduler.rested").filter(({ status }) => status === "completed");
      expect(completed.map(({ bead_id }) => bead_id).sort()).toEqual(made.map((each) => each.bead.id).sort());
    }),
    { numRuns: 60 },
  );
});
