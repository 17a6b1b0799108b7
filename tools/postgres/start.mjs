// A Postgres for tests and benches: nothing to set up, and nothing stays behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { installPackages, whyInstall } from "../../scripts/lib/packages.mjs";
import { withLock } from "../../scripts/lib/lock.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const startLimitMs = 60_000;
const stopLimitMs = 10_000;

/**
 * Starts a server on a free port of this machine, with its data in `folder`, which must not exist yet and is removed
 * at the end. As root the server runs as the user `postgres`, so that `folder` must not lie in one that only root may
 * enter. It ends with `stop()`, and also when this process dies in any way.
 * @param {{ folder: string }} options
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startPostgres({ folder }) {
  await installOnce();
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  // In a group of its own, so that one signal reaches the keeper and the server.
  const keeper = spawn(process.execPath, [fileURLToPath(new URL("keeper.mjs", import.meta.url)), folder], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(keeper, "close");
  let complaints = "";
  keeper.stderr.setEncoding("utf8").on("data", (text) => (complaints += text));

  const kill = () => killGroup(keeper.pid);
  const late = setTimeout(kill, startLimitMs);
  const url = await Promise.race([firstLine(keeper.stdout), ended.then(() => undefined)]);
  clearTimeout(late);
  if (url === undefined) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`Postgres did not start:\n${complaints.trim() || `no answer in ${startLimitMs / 1000} s`}`);
  }

  return {
    url,
    async stop() {
      const stuck = setTimeout(kill, stopLimitMs);
      keeper.stdin.end();
      await ended;
      clearTimeout(stuck);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fetches the server's programs on the first call; they are too heavy to come with the project's own packages. */
async function installOnce() {
  if (!whyInstall(here)) return;
  await withLock(here, async (noteChild) => {
    if (!whyInstall(here)) return;
    process.stderr.write("installing Postgres for the tests into tools/postgres (about 60 MB, once)…\n");
    await installPackages(here, noteChild);
  });
}

/** @param {import("node:stream").Readable} stream */
async function firstLine(stream) {
  for await (const line of createInterface(stream)) return line;
  return undefined;
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
