import type { Disk } from "./disk.ts";

/**
 * Writers in one process that wait for the same file share a sync: all calls during a sync share the next one. Resolves
 * once everything written before the call is on disk.
 */
export class GroupSync {
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  sync(path: string): Promise<void> {
    const running = this.#running.get(path);
    if (!running) return this.#start(path);
    let next = this.#waiting.get(path);
    if (!next) {
      next = running
        .catch(() => undefined)
        .then(() => {
          this.#waiting.delete(path);
          return this.#start(path);
        });
      this.#waiting.set(path, next);
    }
    return next;
  }

  #start(path: string): Promise<void> {
    const sync = this.#disk.sync(path).finally(() => this.#running.delete(path));
    this.#running.set(path, sync);
    return sync;
  }
}
