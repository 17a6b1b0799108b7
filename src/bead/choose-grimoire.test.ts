import { expect, test } from "vitest";
import { chooseGrimoire } from "./choose-grimoire.ts";

const choice = { fallback: "implement-bead", byType: { feature: "build-it", bug: "fix-it" } };
const bead = (fields: object) => ({ id: "p-1", title: "t", ...fields });

test("G3 the label goes before the type, and the type before the default", () => {
  expect(chooseGrimoire(bead({ labels: ["ui", "grimoire:custom-flow"], issue_type: "bug" }), choice)).toEqual({
    name: "custom-flow",
    because: "label grimoire:custom-flow",
  });
  expect(chooseGrimoire(bead({ labels: ["ui"], issue_type: "bug" }), choice)).toEqual({
    name: "fix-it",
    because: "type bug",
  });
  expect(chooseGrimoire(bead({ issue_type: "chore" }), choice)).toEqual({ name: "implement-bead", because: "default" });
  expect(chooseGrimoire(bead({}), choice).name).toBe("implement-bead");
});

test("G3 a type named like something of JavaScript's own is no mapping", () => {
  expect(chooseGrimoire(bead({ issue_type: "constructor" }), choice).name).toBe("implement-bead");
});

test("G3 labels that are no list of texts are no labels", () => {
  for (const labels of ["grimoire:x", { a: 1 }, [1, null], null]) {
    expect(chooseGrimoire(bead({ labels }), choice).name).toBe("implement-bead");
  }
});

test("G3 two different labels are refused, the same one twice is not", () => {
  expect(() => chooseGrimoire(bead({ labels: ["grimoire:a", "grimoire:b"] }), choice)).toThrow(
    /grimoire:a, grimoire:b/,
  );
  expect(chooseGrimoire(bead({ labels: ["grimoire:a", "grimoire:a"] }), choice).name).toBe("a");
});
