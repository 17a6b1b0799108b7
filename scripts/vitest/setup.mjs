import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeReady } from "../lib/make-ready.mjs";
import { fastFolder } from "./fast-folder.mjs";

/** Tests drive the built program, so that a bare `vitest` builds it too. Whatever they start has ended when they have. */
export default async function setup() {
  await makeReady();
  const base = process.env.TMPDIR ?? fastFolder();
  removeLeft(base);
  const folder = mkdtempSync(join(base, `clew-${process.pid}-`));
  // Some tests are another user, who must get to his folders, as in any folder for temporary files.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // No test asks a host that has a certificate, and to read those of a machine takes longer than Node's own start.
  delete process.env.NODE_EXTRA_CA_CERTS;
  const mark = `CLEW_TEST_RUN=${randomUUID()}`;
  [, process.env.CLEW_TEST_RUN] = mark.split("=");
  return async () => {
    // What was killed may still be on its way out.
    for (let looks = 0; looks < 100 && leftOf(mark).length > 0; looks++)
      await new Promise((done) => setTimeout(done, 100));
    const left = leftOf(mark);
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`tests left processes behind: ${left.map(({ pid, words }) => `${pid} ${words}`).join("; ")}`);
  };
}

/** Removes the folders of runs that were killed: memory is not for keeping. @param {string} base */
function removeLeft(base) {
  for (const name of readdirSync(base)) {
    const [, pid] = /^clew-(\d+)-\w{6}$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      attempt(() => rmSync(join(base, name), { recursive: true, force: true }), undefined);
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
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
