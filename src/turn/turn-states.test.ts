import { describe, expect, test } from "vitest";
import type { TurnLine } from "../contract/turn.ts";
import { turnBefore } from "./names.ts";
import { placeOfPlan, planCommandAfter, turnStates, unexecutedTurn } from "./turn-states.ts";

const at = "2026-11-18T10:00:00.000Z";

/** `p01` planned, `x01` executed, `b01-branch-01` branched, `u01` undone. */
function lines(...words: string[]): TurnLine[] {
  return words.map((word): TurnLine => {
    const common = { v: 1 as const, turn: word.slice(1), at };
    if (word.startsWith("p")) {
      const how = { agent: "dev", engine: "scripted", beside_context: [], hashes: {}, repairs: 0 };
      return { ...common, type: "planned", after: turnBefore(common.turn), ...how };
    }
    if (word.startsWith("b")) {
      return { ...common, type: "branched", from: common.turn.replace(/-branch-\d+$/, ""), hashes: {} };
    }
    if (word.startsWith("u")) return { ...common, type: "undone", files: [] };
    return { ...common, type: "executed", status: "SUCCESS", hashes: {}, files: [] };
  });
}

describe("T3 T7 where the next plan stands", () => {
  test("T3 turns follow each other, and a plan without a report is in the way", () => {
    expect(placeOfPlan([])).toEqual({ turn: "01", after: null });
    expect(placeOfPlan(lines("p01", "x01"))).toEqual({ turn: "02", after: "01" });
    expect(() => placeOfPlan(lines("p01"))).toThrow("the plan of turn 01 has not been executed");
    expect(() => placeOfPlan(lines("p01", "x01", "p02"))).toThrow("turn 02");
    expect(unexecutedTurn(lines("p01", "x01", "p02", "b02-branch-01"))?.turn).toBe("02");
    expect(unexecutedTurn(lines("p01", "x01", "u01"))).toBe(undefined);
  });

  test("T7 an empty branch is filled first; then its line goes on", () => {
    const branched = lines("p01", "x01", "p02", "b02-branch-01");
    expect(placeOfPlan(branched)).toEqual({ turn: "02-branch-01", after: "01", branchOf: "02" });
    const filled = [...branched, ...lines("p02-branch-01", "x02-branch-01")];
    expect(placeOfPlan(filled)).toEqual({ turn: "02-branch-01-03", after: "02-branch-01" });
    expect(() => placeOfPlan(filled, { from: "02" })).toThrow("the plan of turn 02 has not been executed");
    expect(placeOfPlan([...filled, ...lines("x02")], { from: "02" })).toEqual({ turn: "03", after: "02" });
  });

  test("T7 --from goes on after the last turn of a line, and nowhere else", () => {
    const both = lines("p01", "x01", "p02", "x02", "b02-branch-01", "p02-branch-01", "x02-branch-01");
    expect(() => placeOfPlan(both, { from: "01" })).toThrow("02 follows turn 01 already");
    expect(() => placeOfPlan(both, { from: "07" })).toThrow("there is no turn 07");
    expect(() => placeOfPlan(both, { from: "../x" })).toThrow("is no name of a turn");
    expect(() => placeOfPlan([], { from: "01" })).toThrow("there is no turn 01");
  });

  test("T3 a turn that was given up is passed over, and its number is not used again", () => {
    const abandoned = new Set(["01", "02"]);
    expect(placeOfPlan(lines("p01"), { abandoned })).toEqual({ turn: "02", after: null });
    expect(placeOfPlan(lines("p01", "p02"), { abandoned })).toEqual({ turn: "03", after: null });
    const second = new Set(["02"]);
    expect(placeOfPlan(lines("p01", "x01", "p02"), { abandoned: second })).toEqual({ turn: "03", after: "01" });
    expect(placeOfPlan(lines("p01", "x01", "p02"), { from: "01", abandoned: second }).turn).toBe("03");
    expect(() => placeOfPlan(lines("p01", "x01", "p02"), { from: "02", abandoned: second })).toThrow("is gone");
    const branch = new Set(["01-branch-01"]);
    expect(placeOfPlan(lines("p01", "x01", "b01-branch-01"), { abandoned: branch })).toEqual({
      turn: "02",
      after: "01",
    });
    expect(unexecutedTurn(lines("p01", "x01", "p02"), second)).toBe(undefined);
  });

  test("T7 the command after a turn names it where plain plan goes on in another line", () => {
    const both = lines("p01", "x01", "p02", "x02", "b02-branch-01", "p02-branch-01", "x02-branch-01");
    const after = (turn: string, handsOver?: boolean): string =>
      planCommandAfter(both, { session: "s", turn, ...(handsOver && { handsOver }) });
    expect(after("02-branch-01")).toBe('clew session plan -s s -m "…"');
    expect(after("02")).toBe('clew session plan -s s --from 02 -m "…"');
    expect(after("02-branch-01", true)).toBe("clew session plan -s s");
  });

  test("T7 turns are in reading order, each with what became of it", () => {
    const states = turnStates(lines("p01", "x01", "p02", "b01-branch-01", "u01"));
    expect(states.map(({ turn }) => turn)).toEqual(["01", "01-branch-01", "02"]);
    expect(states.map((state) => Object.keys(state).slice(2))).toEqual([
      ["planned", "executed", "undone"],
      ["branched"],
      ["planned"],
    ]);
  });
});
