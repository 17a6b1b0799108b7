import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunClock } from "./run-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clockFrom = (beforeMs: number): RunClock => new RunClock(() => Date.now(), beforeMs);

test("G10 while it is held no time passes, however often it is held", () => {
  const clock = clockFrom(100);
  vi.advanceTimersByTime(50);
  clock.hold();
  clock.hold();
  vi.advanceTimersByTime(1000);
  clock.release();
  vi.advanceTimersByTime(1000);
  expect(clock.runningMs).toBe(150);
  clock.release();
  vi.advanceTimersByTime(25);
  expect(clock.runningMs).toBe(175);
});

test("G10 an alarm rings when its time has passed on this clock, also one that was set while it was held", () => {
  const clock = clockFrom(0);
  const rung: string[] = [];
  clock.after(100, () => rung.push("first"));
  vi.advanceTimersByTime(60);
  clock.after(100, () => rung.push("second"));
  const cancel = clock.after(10_000, () => rung.push("never"));
  clock.hold();
  clock.after(5, () => rung.push("held"));
  vi.advanceTimersByTime(1000);
  expect(rung).toEqual([]);
  clock.release();
  cancel();
  vi.advanceTimersByTime(39);
  expect(rung).toEqual(["held"]);
  vi.advanceTimersByTime(1);
  expect(rung).toEqual(["held", "first"]);
  vi.advanceTimersByTime(60);
  expect(rung).toEqual(["held", "first", "second"]);
  vi.advanceTimersByTime(20_000);
  expect(rung).toHaveLength(3);
});
