import { describe, expect, it } from "vitest";
import type { Bead } from "../contract/bead.ts";
import { withDependency, withFields, withLabels, withoutDependency } from "./change-fields.ts";
import { withStatus } from "./change-status.ts";
import { mergeImported } from "./merge-import.ts";
import { readTime } from "./read-time.ts";

const bead: Bead = { id: "p-a", title: "A", status: "open", unknown: [1], updated_at: "t0" };

describe("G2 changing a bead", () => {
  it("G2 a status brings the fields that go with it, and takes them away again", () => {
    const started = withStatus(bead, "in_progress", { now: "t1" });
    expect(started).toEqual({ ...bead, status: "in_progress", started_at: "t1", updated_at: "t1" });
    const closed = withStatus(started, "closed", { now: "t2", reason: "done" });
    expect(closed).toMatchObject({ status: "closed", closed_at: "t2", close_reason: "done", started_at: "t1" });
    const reopened = withStatus(closed, "open", { now: "t3" });
    expect(reopened).toEqual({ ...bead, started_at: "t1", updated_at: "t3" });
    expect(withStatus(reopened, "in_progress", { now: "t4" }).started_at).toBe("t1");
  });

  it("G2 what is so already is the very same object", () => {
    const full: Bead = {
      ...bead,
      labels: ["x"],
      dependencies: [{ issue_id: "p-a", depends_on_id: "p-b", type: "blocks" }],
    };
    expect(withStatus(full, "open", { now: "t1", reason: "no" })).toBe(full);
    expect(withFields(full, { title: "A", notes: null }, "t1")).toBe(full);
    expect(withLabels(full, { add: ["x"], remove: ["y"] }, "t1")).toBe(full);
    expect(withDependency(full, full.dependencies![0]!, "t1")).toBe(full);
    expect(withoutDependency(full, "p-c", "t1")).toBe(full);
  });

  it("G2 a closed one takes another reason, and stays when none is given", () => {
    const closed = withStatus(bead, "closed", { now: "t1", reason: "done" });
    expect(withStatus(closed, "closed", { now: "t2" })).toBe(closed);
    expect(withStatus(closed, "closed", { now: "t2", reason: "done" })).toBe(closed);
    const other = { ...closed, close_reason: "other", updated_at: "t2" };
    expect(withStatus(closed, "closed", { now: "t2", reason: "other" })).toEqual(other);
  });

  it("G2 a dependency of another type is not silently replaced", () => {
    const child: Bead = { ...bead, dependencies: [{ issue_id: "p-a", depends_on_id: "p-b", type: "parent-child" }] };
    const blocks = { issue_id: "p-a", depends_on_id: "p-b", type: "blocks" };
    expect(() => withDependency(child, blocks, "t1")).toThrow("p-a already depends on p-b (parent-child)");
  });

  it("G2 the last label and the last dependency leave no empty field", () => {
    const full: Bead = {
      ...bead,
      labels: ["x"],
      dependencies: [{ issue_id: "p-a", depends_on_id: "p-b", type: "blocks" }],
    };
    expect(withLabels(full, { add: [], remove: ["x"] }, "t1")).not.toHaveProperty("labels");
    expect(withoutDependency(full, "p-b", "t1")).not.toHaveProperty("dependencies");
  });

  it("G2 an import wins when it is newer: its fields alone, and the unknown ones of both", () => {
    const old: Bead = { ...bead, notes: "gone", updated_at: "2026-01-01T00:00:00Z" };
    const newer: Bead = { id: "p-a", title: "B", other: true, updated_at: "2026-01-01T00:00:00.001Z" };
    expect(mergeImported(old, newer)).toEqual({ ...newer, unknown: [1] });
    expect(mergeImported(old, { ...newer, updated_at: "2026-01-01T01:00:00+01:00" })).toBe(old);
    const { updated_at: _, ...undated } = newer;
    expect(mergeImported(old, undated as Bead)).toBe(old);
  });

  it("G2 times: dates that exist, or from now on", () => {
    const now = Date.parse("2026-11-16T12:00:00Z");
    const local = (...parts: [number, number, number, number?]): string => new Date(...parts).toISOString();
    expect(readTime("2026-12-01", now)).toBe(local(2026, 11, 1));
    expect(readTime("2026-12-01 10:00", now)).toBe(local(2026, 11, 1, 10));
    expect(readTime("2026-12-01T10:00", now)).toBe(local(2026, 11, 1, 10));
    expect(readTime("tomorrow", new Date(2026, 11, 31, 12).getTime())).toBe(local(2027, 0, 1));
    expect(readTime("+30m", now)).toBe("2026-11-16T12:30:00.000Z");
    expect(readTime("2026-12-01T09:00:00+01:00", now)).toBe("2026-12-01T08:00:00.000Z");
    expect(readTime("+2d", now)).toBe("2026-11-18T12:00:00.000Z");
    expect(readTime("+1w", now)).toBe("2026-11-23T12:00:00.000Z");
    for (const wrong of ["2026-02-30", "2026-13-01", "later", "+", "+2", "+99999999d", "2026-12-01T25:00:00Z", ""]) {
      expect([wrong, readTime(wrong, now)]).toEqual([wrong, undefined]);
    }
  });
});
