import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beadIdPattern, commonPrefix, newBeadId, newChildId, randomLength, safePrefix } from "./bead-id.ts";
import { idsMatching } from "./find-by-name.ts";

describe("G2 ids of beads", () => {
  it("G2 a new id is never taken, even when nearly all are", () => {
    const letters = "ab";
    let turn = 0;
    const random = (length: number): string =>
      Array.from({ length }, () => letters[(turn = (turn * 5 + 3) % 17) % 2]).join("");
    const taken = new Set<string>();
    for (let count = 0; count < 200; count++) {
      const id = newBeadId({ prefix: "p", taken, random });
      expect(taken.has(id)).toBe(false);
      expect(id).toMatch(beadIdPattern);
      taken.add(id);
    }
  });

  it("G2 ids grow with the number of beads, from 3 letters to 8", () => {
    expect([0, 127, 200, 3000, 20_000, 1_000_000, 1e9].map(randomLength)).toEqual([3, 3, 4, 5, 6, 8, 8]);
  });

  it("G2 a child is one more than the highest, also below children and after gaps", () => {
    expect(newChildId("p-a", new Set(["p-a", "p-ab.9"]))).toBe("p-a.1");
    expect(newChildId("p-a", new Set(["p-a.1", "p-a.10.3", "p-a.x"]))).toBe("p-a.11");
    expect(newChildId("p-a.1", new Set(["p-a.1", "p-a.1.1"]))).toBe("p-a.1.2");
  });

  it("G2 the prefix that most have, or a folder's name", () => {
    expect(commonPrefix(["x-1", "my-app-a3f", "my-app-b.1", "odd"])).toBe("my-app");
    expect(commonPrefix(["odd"])).toBeUndefined();
    const folder = fc.string().map((name) => `${safePrefix(name)}-abc`);
    fc.assert(fc.property(folder, (id) => beadIdPattern.test(id)));
  });

  it("G2 a short name means one bead, or several, or none", () => {
    const ids = ["my-app-a3f", "my-app-a3f.1", "my-app-b22", "other-b22x"];
    expect(idsMatching("a3f", ids)).toEqual(["my-app-a3f"]);
    expect(idsMatching("b2", ids)).toEqual(["my-app-b22", "other-b22x"]);
    expect(idsMatching("oth", ids)).toEqual(["other-b22x"]);
    expect(idsMatching("", ids)).toEqual([]);
    expect(idsMatching("zzz", ids)).toEqual([]);
    expect(idsMatching("o", ids)).toEqual(["other-b22x"]);
    expect(idsMatching("m", ids)).toEqual(["my-app-a3f", "my-app-b22"]);
  });

  it("G2 capital letters count only where ids differ by nothing else", () => {
    const ids = ["my-app-a3f", "my-app-a3f.1", "my-app-b22", "my-app-B22", "Odd-7x"];
    expect(idsMatching("MY-APP-A3F", ids)).toEqual(["my-app-a3f"]);
    expect(idsMatching("A3", ids)).toEqual(["my-app-a3f"]);
    expect(idsMatching("odd", ids)).toEqual(["Odd-7x"]);
    expect(idsMatching("B22", ids)).toEqual(["my-app-B22"]);
    expect(idsMatching("MY-APP-B22", ids)).toEqual(["my-app-b22", "my-app-B22"]);
    expect(idsMatching("A3F.", ids)).toEqual([]);
  });

  it("G2 a name never grows into a part or within its number", () => {
    const ids = ["p-a", "p-a.10", "p-a.6.1", "p-bcd.1"];
    for (const name of ["p-a.1", "a.1", "p-a.6", "a.6", "p-a.", "p-bcd", "bcd", "bc"]) {
      expect([name, idsMatching(name, ids)]).toEqual([name, []]);
    }
    expect(idsMatching("a.10", ids)).toEqual(["p-a.10"]);
  });
});
