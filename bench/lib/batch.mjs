import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A `clew session log --batch --json` that runs on: an entry in, its acknowledgement out. */
export class Batch {
  /**
   * @param {import("./repository.mjs").Repository} repository
   * @param {string} id
   */
  constructor(repository, id) {
    const { program, place, folder } = repository;
    this.child = spawn(process.execPath, [program.file, "session", "log", "--batch", "--json", "-s", id], {
      cwd: folder,
      env: program.env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    place.watch(this.child);
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Logs one entry and returns how long its acknowledgement took.
   * @param {import("./entries.mjs").LogEntry} entry
   */
  async log(entry) {
    const startMs = performance.now();
    this.child.stdin.write(`${JSON.stringify(entry)}\n`);
    const { value, done } = await this.lines.next();
    const tookMs = performance.now() - startMs;
    if (done || !JSON.parse(value).ok) throw new Error(`not acknowledged: ${value ?? "the process ended"}`);
    return tookMs;
  }

  async end() {
    this.child.stdin.end();
    if (this.child.exitCode === null) await once(this.child, "close");
  }
}
