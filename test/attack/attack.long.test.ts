import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = resolve(import.meta.dirname, "../../scripts/attack.mjs");

/** Runs the attack to its end; what it printed last is its sum. */
async function attack(...args: string[]): Promise<{ kills: number; byKind: Record<string, number>; seconds: number }> {
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--seed", "5", ...args]);
  const seconds = (performance.now() - began) / 1000;
  const [total = "", kinds = ""] = stdout.trimEnd().split("\n").slice(-2);
  const byKind = Object.fromEntries(
    [...kinds.matchAll(/(\w+) (\d+)/g)].map(([, kind, count]) => [kind!, Number(count)]),
  );
  return { kills: Number(/^(\d+) kills/.exec(total)![1]), byKind, seconds };
}

const sum = (byKind: Record<string, number>): number => Object.values(byKind).reduce((all, each) => all + each, 0);

describe("npm run attack", () => {
  it("stops at so many kills, long before the time is over, and prints how many there really were", async () => {
    const { kills, byKind, seconds } = await attack("--kills", "12", "--minutes", "90");
    expect(kills).toBeGreaterThanOrEqual(12);
    // Two lanes may each be in the middle of an act of several writers.
    expect(kills).toBeLessThan(12 + 2 * 4);
    expect(sum(byKind)).toBe(kills);
    expect(seconds).toBeLessThan(600);
  });

  it("stops when the time is over, however many kills were wanted; and the kinds take turns", async () => {
    const { kills, byKind } = await attack("--kills", "10000", "--minutes", "1");
    expect(kills).toBeLessThan(10_000);
    expect(sum(byKind)).toBe(kills);
    // On a busy machine a minute is short: one kind alone would still be wrong.
    expect(Object.values(byKind).filter((count) => count > 0).length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["--kills", "many"],
    ["--minutes", "soon"],
    ["--lanes", "0"],
    ["--only", "nothing"],
  ])("refuses %s %s", async (...args) => {
    await expect(attack(...args)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(args[0]) as string,
    });
  });
});
