import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bead } from "../contract/bead.ts";
import { circleInWords } from "../text/circle-in-words.ts";
import { awaitedBy, cycleThrough } from "./dependency-cycle.ts";
import { openDependencies, readinessOf, readyBeads, startableBeads } from "./readiness.ts";
import { byUrgency } from "./urgency.ts";
import { waitingCircles } from "./waiting-circles.ts";

const now = Date.parse("2026-11-16T12:00:00Z");

function bead(id: string, fields: Partial<Bead> = {}, dependencies: [type: string, id: string][] = []): Bead {
  return {
    id,
    title: id,
    status: "open",
    ...fields,
    dependencies: dependencies.map(([type, target]) => ({ issue_id: id, depends_on_id: target, type })),
  };
}

function readyIds(...beads: Bead[]): string[] {
  return readyBeads(beads, now).map(({ id }) => id);
}

describe("G2 ready", () => {
  it.each(["blocks", "conditional-blocks", "waits-for"])(
    "G2 an unfinished target of %s blocks, a closed one does not",
    (type) => {
      for (const status of ["open", "in_progress", "blocked", "deferred", "pinned", "hooked", "custom"]) {
        expect(readyIds(bead("a", {}, [[type, "b"]]), bead("b", { status }))).not.toContain("a");
      }
      expect(readyIds(bead("a", {}, [[type, "b"]]), bead("b", { status: "closed" }))).toEqual(["a"]);
    },
  );

  it("G2 other relations do not block, nor does a target that is missing", () => {
    const a = bead("a", {}, [
      ["related", "b"],
      ["discovered-from", "b"],
      ["blocks", "gone"],
    ]);
    expect(readyIds(a, bead("b", { priority: 4 }))).toEqual(["a", "b"]);
    expect(readinessOf([a], now).missingOf(a)).toEqual(["b", "gone"]);
  });

  it("G2 only open ones, not deferred, not pinned, no template", () => {
    for (const status of ["in_progress", "blocked", "deferred", "closed", "pinned", "hooked"]) {
      expect(readyIds(bead("a", { status }))).toEqual([]);
    }
    expect(readyIds(bead("a", { defer_until: "2026-11-16T12:00:01Z" }))).toEqual([]);
    expect(readyIds(bead("a", { defer_until: "2026-11-16T12:59:59+01:00" }))).toEqual(["a"]);
    expect(readyIds(bead("a", { pinned: true }), bead("b", { is_template: true }))).toEqual([]);
  });

  it("G2 a parent that is blocked or deferred holds all below it; one that is open or closed does not", () => {
    const below = [bead("c", {}, [["parent-child", "p"]]), bead("d", {}, [["parent-child", "c"]])];
    const blocked = bead("p", {}, [["blocks", "x"]]);
    expect(readyIds(blocked, bead("x"), ...below)).toEqual(["x"]);
    expect(readyIds(bead("p", { status: "blocked" }), ...below)).toEqual([]);
    expect(readyIds(bead("p", { defer_until: "2027-01-01" }), ...below)).toEqual([]);
    expect(readyIds(bead("p"), ...below)).toEqual(["c", "d", "p"]);
    expect(readyIds({ ...blocked, status: "closed" }, bead("x"), ...below)).toEqual(["c", "d", "x"]);
  });

  it("G2 runs are started on the innermost only, and on no epic", () => {
    const beads = [bead("p"), bead("c", {}, [["parent-child", "p"]]), bead("e", { issue_type: "epic" })];
    expect(startableBeads(beads, now).map(({ id }) => id)).toEqual(["c"]);
  });

  it("G2 priority, then age, then id", () => {
    const beads = [
      bead("e"),
      bead("d", { created_at: "2026-01-02T00:00:00Z" }),
      bead("c", { created_at: "2026-01-02T00:30:00+01:00" }),
      bead("b", { priority: 0, created_at: "2026-05-01T00:00:00Z" }),
      bead("a", { priority: 3 }),
      bead("f", { priority: 2, created_at: "2026-01-02T00:00:00Z" }),
    ];
    expect(byUrgency(beads).map(({ id }) => id)).toEqual(["b", "c", "d", "f", "e", "a"]);
  });

  it("G2 agrees with the plain definition on any graph, cycles too", () => {
    fc.assert(
      fc.property(graph, (beads) => {
        const byId = new Map(beads.map((each) => [each.id, each]));
        const isHeld = (each: Bead, above: Set<string>): boolean => {
          if (above.has(each.id) || each.status === "closed") return false;
          if (each.status === "blocked" || each.status === "deferred") return true;
          return each.dependencies!.some(({ type, depends_on_id: id }) => {
            const target = byId.get(id);
            if (!target || target.status === "closed") return false;
            return type === "blocks" || (type === "parent-child" && isHeld(target, new Set([...above, each.id])));
          });
        };
        const expected = beads.filter((each) => each.status === "open" && !isHeld(each, new Set()));
        expect(readyBeads(beads, now)).toEqual(byUrgency(expected));
      }),
      { numRuns: 500 },
    );
  });

  it("G2 many beads in one chain of parents, and a cycle, end", () => {
    const chain = Array.from({ length: 50_000 }, (_, at) => bead(`b${at}`, {}, [["parent-child", `b${at + 1}`]]));
    expect(readyBeads(chain, now)).toHaveLength(50_000);
    chain.push(bead("b50000", { status: "blocked" }, [["parent-child", "b0"]]));
    expect(readyBeads(chain, now)).toEqual([]);
  });
});

describe("G2 the standing of a bead", () => {
  it("G2 says what keeps an open one from being ready, and is the status of any other", () => {
    const beads = [
      bead("a"),
      bead("b", {}, [["blocks", "a"]]),
      bead("c", {}, [["parent-child", "b"]]),
      bead("d", { defer_until: "2027-01-01" }),
      bead("e", { defer_until: "soon" }),
      bead("f", { pinned: true }),
      bead("g", { is_template: true }),
      bead("h", { status: "wip" }),
    ];
    const readiness = readinessOf(beads, now);
    expect(beads.map((each) => readiness.standingOf(each))).toEqual([
      "open",
      "waits",
      "waits",
      "deferred",
      "open",
      "pinned",
      "template",
      "wip",
    ]);
    expect(beads.filter((each) => readiness.isReady(each)).map(({ id }) => id)).toEqual(["a", "e"]);
  });
});

describe("G2 dependencies that would wait for ever", () => {
  it("G2 a bead is in a circle exactly when it reaches itself", () => {
    fc.assert(
      fc.property(graph, (beads) => {
        const circles = waitingCircles(beads);
        for (const each of beads) {
          const next = awaitedBy(each).filter((id) => beads.some((other) => other.id === id));
          const reachesItself = next.some((id) => reaches(beads, id, each.id));
          expect([each.id, circles.has(each.id)]).toEqual([each.id, reachesItself]);
          const way = circles.through(each.id);
          expect([way?.[0], way?.at(-1)]).toEqual(reachesItself ? [each.id, each.id] : [undefined, undefined]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("G2 a long circle is found in one pass, and named by its ends", () => {
    const size = 50_000;
    const ring = Array.from({ length: size }, (_, at) => bead(`b${at}`, {}, [["blocks", `b${(at + 1) % size}`]]));
    const way = waitingCircles(ring).through("b0")!;
    expect(way).toHaveLength(size + 1);
    expect(circleInWords(way)).toBe(
      "b0 → b1 → b2 → b3 → b4 → … (49,991 more) → b49996 → b49997 → b49998 → b49999 → b0",
    );
    expect(circleInWords(["a", "b", "a"])).toBe("a → b → a");
  });

  it("G2 a cycle is found exactly when the new dependency closes one", () => {
    fc.assert(
      fc.property(graph, fc.nat(5), fc.nat(5), (beads, a, b) => {
        const [from, to] = [`b${a}`, `b${b}`];
        const find = (id: string): Bead | undefined => beads.find((each) => each.id === id);
        const way = cycleThrough(find, { from, to });
        expect(way !== undefined).toBe(reaches(beads, to, from));
        if (!way) return;
        expect([way[0], way.at(-1)]).toEqual([to, from]);
        way.slice(1).forEach((id, at) => {
          expect(find(way[at]!)!.dependencies!.map((each) => each.depends_on_id)).toContain(id);
        });
      }),
      { numRuns: 300 },
    );
  });
});

/** By growing the set of what is reached until it grows no more. */
function reaches(beads: Bead[], start: string, end: string): boolean {
  const reached = new Set([start]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const each of beads) {
      if (!reached.has(each.id)) continue;
      for (const { type, depends_on_id: id } of each.dependencies!) if (type !== "related") reached.add(id);
    }
  }
  return reached.has(end);
}

const graph = fc
  .array(
    fc.record({
      status: fc.constantFrom("open", "open", "open", "closed", "blocked", "in_progress", "deferred"),
      priority: fc.nat(4),
      targets: fc.array(fc.tuple(fc.constantFrom("blocks", "parent-child", "related"), fc.nat(6)), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all.map(({ status, priority, targets }, at) =>
      bead(
        `b${at}`,
        { status, priority },
        targets.map(([type, target]) => [type, `b${target}`]),
      ),
    ),
  );

describe("G2 what a bead waits for", () => {
  it("G2 its own open dependencies and those of its unfinished parents, each once, whatever the circle", () => {
    const beads = [
      bead("a", {}, [
        ["blocks", "b"],
        ["parent-child", "p"],
        ["related", "r"],
      ]),
      bead("b", { status: "deferred" }),
      bead("p", {}, [
        ["waits-for", "b"],
        ["waits-for", "c"],
        ["parent-child", "a"],
        ["parent-child", "done"],
      ]),
      bead("c"),
      bead("done", { status: "closed" }, [["blocks", "d"]]),
      bead("d"),
      bead("r"),
    ];
    expect(openDependencies(beads[0]!, () => beads)).toEqual(["b", "c"]);
  });

  it("G2 others are not read for a bead that depends on nothing", () => {
    const fail = (): never => expect.fail("they were read");
    expect(openDependencies(bead("a"), fail)).toEqual([]);
  });
});
