import { describe, expect, it } from "vitest";
import type { Bead } from "../../contract/bead.ts";
import { unchangedFields } from "./unchanged-fields.ts";

const before: Bead = { id: "p-a", title: "A", labels: ["x"], due_at: "2026-01-01T00:00:00Z" };

describe("G2 whether bd did as it was told", () => {
  it("G2 the same value in another form is the same", () => {
    const wanted: Bead = {
      id: "p-a",
      title: "B",
      labels: ["x", "y"],
      notes: "one\ntwo",
      due_at: "2026-12-01T08:00:00.123Z",
    };
    const now: Bead = {
      id: "p-a",
      title: "B",
      status: "open",
      priority: 2,
      labels: ["y", "x"],
      notes: "one\r\ntwo\n",
      due_at: "2026-12-01T09:00:00+01:00",
    };
    expect(unchangedFields(now, before, wanted)).toEqual([]);
  });

  it("G2 what was to change and did not is named, and nothing else", () => {
    const wanted: Bead = { id: "p-a", title: "A", labels: [], priority: 0, status: "closed", updated_at: "t" };
    const elsewhere: Bead = { ...before, title: "changed by another" };
    expect(unchangedFields(elsewhere, before, wanted)).toEqual(["labels", "due_at", "priority", "status"]);
    const closed: Bead = { ...before, status: "closed", close_reason: "Closed" };
    expect(unchangedFields(closed, before, { ...before, status: "closed" })).toEqual([]);
  });
});
