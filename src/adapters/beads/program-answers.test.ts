import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNewEnough } from "./bd-probe.ts";
import { readBead, readFailure, readObjects } from "./program-answers.ts";

describe("G2 what programs print", () => {
  const items = fc.array(fc.record({ id: fc.string(), data: fc.constantFrom(1, [], {}) }), { maxLength: 4 });

  it("G2 the same things in every envelope", () => {
    fc.assert(
      fc.property(items, (things) => {
        const envelopes = [
          things,
          { schema_version: 1, data: things },
          { schema_version: 1, items: things },
          { issues: things },
          { schema_version: 1, data: { issues: things } },
        ];
        for (const each of envelopes) expect(readObjects(JSON.stringify(each))).toEqual(things);
      }),
    );
  });

  it("G2 one thing is a list of one, also where it has a field that envelopes have", () => {
    const one = { id: "bd-1", title: "A", items: ["x"], schema_version: 1 };
    expect(readObjects(JSON.stringify(one))).toEqual([one]);
    expect(readObjects(JSON.stringify({ schema_version: 1, data: one }))).toEqual([one]);
  });

  it.each(["", "fine", "[1]", '"x"', '[{"id":"bd-1"', "null"])("G2 %s is no answer", (text) => {
    expect(readObjects(text)).toBeUndefined();
  });

  it("G2 edges and whole beads are the same dependencies, and what nobody knows stays", () => {
    const edge = { issue_id: "bd-2", depends_on_id: "bd-1", type: "waits-for" };
    const whole = { id: "bd-1", title: "One", dependency_type: "waits-for" };
    for (const each of [edge, whole]) {
      const bead = readBead({
        id: "bd-2",
        title: "Two",
        status: "odd",
        own: 1,
        schema_version: 1,
        dependencies: [each],
      });
      expect(bead).toEqual({ id: "bd-2", title: "Two", status: "odd", own: 1, dependencies: [edge] });
    }
    expect(readBead({ id: "", title: "x" })).toBe("no id");
  });

  it("G2 an error is found on either stream, alone or behind another document", () => {
    const json = '{"error":"no such issue","hint":"look"}';
    const nested = '{"error":{"code":"NOT_FOUND","message":"no such issue","hint":"look","retryable":false}}';
    for (const text of [json, nested, `{"ok":[]}\n${json}`, `warning: x\n${nested}\n`]) {
      expect(readFailure(text, "")).toEqual({ message: "no such issue", hint: "look" });
      expect(readFailure("[]", text)).toEqual({ message: "no such issue", hint: "look" });
    }
    expect(readFailure("", "Error: plain words\n")).toEqual({ message: "plain words" });
    expect(readFailure("", "")).toEqual({ message: "" });
  });

  it("G2 versions of bd", () => {
    expect(["1.0.5", "v1.0.10", "1.1.0", "2.0.0-rc.1"].filter(isNewEnough)).toHaveLength(4);
    expect(["1.0.4", "0.99.9", "1.0", "", "dev"].filter(isNewEnough)).toEqual([]);
  });
});
