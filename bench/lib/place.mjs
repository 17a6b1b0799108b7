import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One folder for all that a run writes, and the children that may still write into it. */
export class Place {
  /** @type {Set<import("node:child_process").ChildProcess>} */
  #children = new Set();

  /** @param {number} neededBytes */
  constructor(neededBytes) {
    const { bavail, bsize } = statfsSync(tmpdir());
    if (bavail * bsize < neededBytes) {
      const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => (bytes / 1e9).toFixed(1));
      throw new Error(`${tmpdir()} has ${free} GB free, ${needed} GB are needed: set TMPDIR to a larger place`);
    }
    this.root = mkdtempSync(join(tmpdir(), "clew-bench-"));
  }

  /** @param {string} name */
  folder(name) {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** @param {import("node:child_process").ChildProcess} child */
  watch(child) {
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
  }

  /** Ends what still runs and takes everything away. */
  remove() {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
