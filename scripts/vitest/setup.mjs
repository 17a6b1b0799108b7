import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { makeReady } from "../lib/make-ready.mjs";

/** Tests drive the built program, so that a bare `vitest` builds it too. Whatever they start has ended when they have. */
export default async function setup() {
  await makeReady();
  const mark = `CLEW_TEST_RUN=${randomUUID()}`;
  [, process.env.CLEW_TEST_RUN] = mark.split("=");
  return async () => {
    // What was killed may still be on its way out.
    for (let looks = 0; looks < 100 && leftOf(mark).length > 0; looks++)
      await new Promise((done) => setTimeout(done, 100));
    const left = leftOf(mark);
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`tests left processes behind: ${left.map(({ pid, words }) => `${pid} ${words}`).join("; ")}`);
  };
}

/**
 * Processes that a test started, by what they inherited from it. Linux tells; elsewhere there are none to see.
 * @param {string} mark
 */
function leftOf(mark) {
  const names = attempt(() => readdirSync("/proc"), []).filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => {
    const environment = attempt(() => readFileSync(`/proc/${name}/environ`, "latin1"), "");
    if (Number(name) === process.pid || !environment.split("\0").includes(mark)) return [];
    const words = attempt(() => readFileSync(`/proc/${name}/cmdline`, "latin1"), "").replaceAll("\0", " ");
    // vitest's own workers have it, too, and end after this.
    return words.includes("vitest") ? [] : [{ pid: Number(name), words }];
  });
}

/**
 * @template T
 * @param {() => T} work
 * @param {T} otherwise
 */
function attempt(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
