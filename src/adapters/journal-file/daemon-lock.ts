import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { sqliteHeldLocks } from "../files/held-lock.ts";
import { paths, type Layout } from "../layout.ts";

/**
 * Makes this process the only daemon of the repository. The lock decides; the file beside it only names the process, and may
 * be of an earlier daemon. Returns the function that releases it. Throws when another process has it.
 */
export function acquireDaemonLock(disk: Disk, layout: Layout): () => void {
  const file = paths.daemon(layout);
  const release = sqliteHeldLocks(paths.locks(layout)).tryAcquire("daemon");
  if (!release) {
    const pid = pidIn(disk.read(file));
    throw new ClewError(
      "not_possible_now",
      `a daemon is at work in this repository already${pid === undefined ? "" : `: process ${pid}`}`,
      "it takes up all that is ready; stop it with Ctrl-C in its terminal" +
        (pid === undefined ? "" : `, or by kill ${pid}`),
    );
  }
  try {
    disk.makeFolder(paths.stateFolder(layout));
    const text = JSON.stringify({ pid: process.pid, started: new Date().toISOString() });
    disk.replaceUnsynced(file, Buffer.from(`${text}\n`));
  } catch (error) {
    release();
    throw error;
  }
  return () => {
    try {
      disk.remove(file);
    } finally {
      release();
    }
  };
}

function pidIn(bytes: Buffer | undefined): number | undefined {
  try {
    const { pid } = JSON.parse(bytes?.toString("utf8") ?? "") as { pid?: unknown };
    return typeof pid === "number" ? pid : undefined;
  } catch {
    return undefined;
  }
}
