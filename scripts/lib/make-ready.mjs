import { fileURLToPath } from "node:url";
import { buildProgram, whyBuild } from "./build.mjs";
import { withLock } from "./lock.mjs";
import { installPackages, whyInstall } from "./packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Installs and builds what is missing. When nothing is, it only reads, takes no lock and prints nothing.
 * @param {{ packagesOnly?: boolean, rebuild?: boolean }} [options]
 */
export async function makeReady({ packagesOnly = false, rebuild = false } = {}) {
  const whyBuildNow = () => (packagesOnly ? undefined : rebuild ? "as asked" : whyBuild(root));
  if (!whyInstall(root) && !whyBuildNow()) return;

  await withLock(root, async (noteChild) => {
    // Asked again under the lock: the process that held it before may have done the work.
    const whyInstallNow = whyInstall(root);
    if (whyInstallNow) await report("installing packages", whyInstallNow, () => installPackages(root, noteChild));
    const reason = whyBuildNow();
    if (reason) await report("building", reason, () => buildProgram(root));
  });
}

/**
 * @param {string} what
 * @param {string} why
 * @param {() => Promise<void>} work
 */
async function report(what, why, work) {
  const startedMs = performance.now();
  process.stderr.write(`${what} (${why})… `);
  try {
    await work();
  } catch (error) {
    process.stderr.write("failed\n");
    throw error;
  }
  process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
}
