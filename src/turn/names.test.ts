import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  branchedFrom,
  compareTurns,
  firstTurn,
  isTurnName,
  lineOf,
  nextBranch,
  turnAfter,
  turnBefore,
} from "./names.ts";

describe("T7 names of turns", () => {
  test("T7 a line goes on with its own numbers, and a branch is a line of its own", () => {
    expect(["01", "09", "99", "02-branch-01", "02-branch-01-03", "02-branch-01-branch-02"].map(turnAfter)).toEqual([
      "02",
      "10",
      "100",
      "02-branch-01-03",
      "02-branch-01-04",
      "02-branch-01-branch-02-03",
    ]);
  });

  test("T7 a branch stands in the place of the turn that it was made from", () => {
    const before = (turn: string): string | null => turnBefore(turn);
    expect(before("01")).toBe(null);
    expect(before("03")).toBe("02");
    expect(before("01-branch-01")).toBe(null);
    expect(before("02-branch-01")).toBe("01");
    expect(before("02-branch-01-03")).toBe("02-branch-01");
    expect(before("02-branch-01-04")).toBe("02-branch-01-03");
    expect(before("02-branch-01-03-branch-01")).toBe("02-branch-01");
    expect(before("02-branch-01-branch-01")).toBe("01");
    expect(branchedFrom("02-branch-01-03")).toBe(undefined);
    expect(lineOf("02-branch-01-03")).toBe("02-branch-01");
    expect(lineOf("07")).toBe(undefined);
  });

  test("T7 the next branch has the next free number", () => {
    expect(nextBranch("02", [])).toBe("02-branch-01");
    const turns = ["02", "02-branch-03", "02-branch-01-branch-09", "12-branch-07"];
    expect(nextBranch("02", turns)).toBe("02-branch-04");
  });

  test("T7 turns are in reading order: a turn, its branches, then what follows it", () => {
    const inOrder = [
      "01",
      "01-branch-01",
      "02",
      "02-branch-01",
      "02-branch-01-branch-01",
      "02-branch-01-branch-01-03",
      "02-branch-01-03",
      "02-branch-01-03-branch-01",
      "02-branch-02",
      "03",
      "100",
    ];
    expect(inOrder.toReversed().sort(compareTurns)).toEqual(inOrder);
  });

  test("what could lead elsewhere is no name of a turn", () => {
    for (const name of ["", ".", "..", "1", "01/02", "01-branch", "01-", "01-02", "01\n", "01-branch-01-02-03"]) {
      expect(isTurnName(name)).toBe(false);
    }
    expect(isTurnName("01" + "-branch-01".repeat(60))).toBe(false);
    expect(() => turnAfter("9999")).toThrow("at most 9999");
  });

  test("T7 whatever follows and branches, names hold together", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 14 }), (steps) => {
        let turn = firstTurn;
        const turns = [turn];
        for (const branches of steps) {
          const next = branches ? nextBranch(turn, turns) : turnAfter(turn);
          expect(isTurnName(next)).toBe(true);
          if (branches) {
            expect(branchedFrom(next)).toBe(turn);
            expect(turnBefore(next)).toBe(turnBefore(turn));
            expect(lineOf(next)).toBe(next);
          } else {
            expect(turnBefore(next)).toBe(turn);
            expect(lineOf(next)).toBe(lineOf(turn));
          }
          expect(compareTurns(turn, next)).toBeLessThan(0);
          turns.push((turn = next));
        }
      }),
    );
  });
});
