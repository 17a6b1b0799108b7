import { expect, test } from "vitest";
import type { SchedulerEvent } from "../../contract/api/scheduler.ts";
import { makeColors } from "./colors.ts";
import { DaemonView } from "./daemon-view.ts";

const screen = {
  colors: makeColors(false),
  width: 120,
  onTerminal: true,
  nowMs: () => new Date(2026, 10, 16, 9, 5, 7).getTime(),
};

/** What is told, without the time that every line begins with. */
function told(...events: SchedulerEvent[]): string[] {
  const view = new DaemonView(screen);
  const lines = events.map((event) => view.line(event));
  expect(lines.every((line) => line.startsWith("09:05:07  "))).toBe(true);
  return lines.map((line) => line.slice("09:05:07  ".length));
}

const names = { bead_id: "proj-1", run_id: "2026-11-16-proj-1" };
const nothing = { blocked: 0, failed: 0, pending_merge: 0, interrupted: 0, stopped: 0, backed_off: 0 };

test("G19 with --once nobody is promised another try", () => {
  const failed = { type: "scheduler.backed_off" as const, message: "no spell", hint: null, failures: 1, wait_ms: 5000 };
  const view = new DaemonView(screen, true);
  expect(view.line({ ...failed, bead_id: "proj-1", run_id: null })).toMatch(/✗ not started: no spell$/);
  expect(view.line({ ...failed, ...names })).toMatch(/✗ not resumed: no spell$/);
  expect(told({ ...failed, ...names })).toEqual([expect.stringContaining("tried again in 5 s: no spell")]);
});

test("G19 columns grow with what stands in them, and never shrink", () => {
  expect(
    told(
      { type: "scheduler.started", ...names, title: "Fix the login" },
      { type: "scheduler.resumed", bead_id: "proj-långt-namn", run_id: "2026-11-16-proj-langt-namn", was: "blocked" },
      { type: "scheduler.rested", ...names, status: "completed", message: null, actions: [] },
    ),
  ).toEqual([
    "proj-1    2026-11-16-proj-1  ▸ started  Fix the login",
    "proj-långt-namn  2026-11-16-proj-langt-namn  ▸ resumed  was blocked",
    "proj-1           2026-11-16-proj-1           ✓ completed",
  ]);
});

test("G19 a wait says why, as far as there is room, and how to go on", () => {
  const why = `exited with 1: ${"a long story, ".repeat(20)}`;
  const [blocked, review] = told(
    { type: "scheduler.rested", ...names, status: "blocked", message: why, actions: ["clew run retry x"] },
    { type: "scheduler.rested", ...names, status: "pending_merge", message: null, actions: ["clew run diff x"] },
  );
  expect(blocked).toMatch(/⏸ blocked: exited with 1: a long story,.*…  clew run retry x$/);
  expect(blocked!.length).toBeLessThan(screen.width);
  expect(review).toBe("proj-1    2026-11-16-proj-1  ⏸ waits for your review  clew run diff x");
});

test("G19 what is left is counted, and nothing else is mentioned", () => {
  expect(
    told(
      { type: "scheduler.idle", ...nothing },
      { type: "scheduler.idle", ...nothing, blocked: 2, pending_merge: 1, backed_off: 3 },
      { type: "scheduler.stopping", driven: 1 },
      { type: "scheduler.closed", ...nothing, interrupted: 1 },
    ),
  ).toEqual([
    "nothing to do",
    "nothing to do · 2 blocked · 1 to review · 3 backed off · clew inbox shows them",
    "stopping 1 run; the next daemon goes on with what was interrupted",
    "ended · 1 interrupted",
  ]);
});

test("G19 text from beads and errors cannot steer the terminal", () => {
  const lines = told(
    { type: "scheduler.started", ...names, title: "two\nlines \u001b[2J" },
    { type: "scheduler.trouble", message: "bad \u001b]0;x\u0007", hint: "mend\nit" },
    {
      type: "scheduler.backed_off",
      bead_id: "p",
      run_id: null,
      message: "no\u0008",
      hint: null,
      failures: 1,
      wait_ms: 5000,
    },
  );
  expect(lines.join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(lines.every((line) => !line.includes("\n"))).toBe(true);
});
