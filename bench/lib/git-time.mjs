import childProcess from "node:child_process";

/** The shell behind which guarded programs wait until they are recorded. */
const gateShell = "/bin/sh";

/**
 * Tells what time goes to children, by listening to every start of one. It has to be made before the parts are loaded.
 *   startMs  the system starts them: a call that we wait in
 *   gateMs   guarded ones stand at their gate
 *   gitMs    at least one of them does its work, until we hear that it has ended
 */
export class GitTime {
  startMs = 0;
  gateMs = 0;
  gitMs = 0;
  calls = 0;
  guardedCalls = 0;
  #running = 0;
  #sinceMs = 0;
  /** Those at the gate, and since when. @type {Map<number, number>} */
  #waiting = new Map();

  constructor() {
    const { spawn } = childProcess;
    /** @param {Parameters<typeof spawn>} args */
    const timed = (...args) => {
      const askedMs = performance.now();
      const child = spawn(...args);
      const startedMs = performance.now();
      this.startMs += startedMs - askedMs;
      this.calls++;
      if (args[0] === gateShell && child.pid !== undefined) this.#waiting.set(child.pid, startedMs);
      else this.#begin(startedMs);
      child.once("exit", () => this.#end());
      return child;
    };
    Object.assign(childProcess, { spawn: timed });
  }

  /** It was recorded, and may begin. @param {number} pid */
  opened(pid) {
    const nowMs = performance.now();
    this.gateMs += nowMs - (this.#waiting.get(pid) ?? nowMs);
    this.guardedCalls++;
    this.#waiting.delete(pid);
    this.#begin(nowMs);
  }

  /** @param {number} nowMs */
  #begin(nowMs) {
    if (this.#running++ === 0) this.#sinceMs = nowMs;
  }

  #end() {
    if (--this.#running === 0) this.gitMs += performance.now() - this.#sinceMs;
  }

  /** All of it since the last time. */
  take() {
    const { startMs, gateMs, gitMs, calls, guardedCalls } = this;
    Object.assign(this, { startMs: 0, gateMs: 0, gitMs: 0, calls: 0, guardedCalls: 0 });
    return { startMs, gateMs, gitMs, calls, guardedCalls };
  }
}
