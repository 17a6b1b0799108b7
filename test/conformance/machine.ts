import { assumeRedacted } from "../../src/contract/redacted.ts";
import type { HeldLocks } from "../../src/adapters/files/held-lock.ts";
import type { Locks } from "../../src/adapters/files/lock.ts";
import { EmbeddedHost } from "../../src/adapters/journal-file/embedded-host.ts";
import { runFolders, runPaths } from "../../src/adapters/layout/run-paths.ts";
import { runStore } from "../../src/adapters/journal-file/run-store.ts";
import type { RunStore } from "../../src/app/run/ports.ts";
import type { JournalLine, RunEvent } from "../../src/contract/run-journal.ts";
import { MemoryDisk } from "../sim/memory-disk.ts";
import { Mortal } from "./mortal.ts";

const folders = runFolders("/repo/.git/clew");
const noLocks: Locks = { with: async (_, work) => work(), close: () => undefined };

/** A machine with runs on a disk that forgets, and one process on it at a time. */
export class Machine {
  readonly disk = new MemoryDisk();
  #life = new Mortal();
  #boots = 1;
  #ticks = 0;
  #ids = 0;

  host(): EmbeddedHost {
    const life = (this.#life = new Mortal());
    const held = new Set<string>();
    const drivers: HeldLocks = {
      tryAcquire: (name) => (held.has(name) ? undefined : (held.add(name), () => void held.delete(name))),
    };
    const storage = { disk: life.part<MemoryDisk>(this.disk), folders, locks: async () => noLocks, drivers };
    return new EmbeddedHost(storage, {
      nowMs: () => Date.UTC(2026, 10, 16) + ++this.#ticks,
      elapsedMs: () => ++this.#ticks,
      newId: () => `id${++this.#ids}`,
      boot: `boot-${this.#boots}`,
      pid: 1,
      redact: assumeRedacted,
      endSurvivors: async () => undefined,
      lookEveryMs: 5,
    });
  }

  /** The process dies; what it wrote is there. */
  kill(): void {
    this.#life.die();
    this.disk.kill();
  }

  /** `chance` tells how much of what was not synced is still there, from 0 to 1. */
  cutPower(chance: () => number): void {
    this.#life.die();
    this.disk.cutPower(chance);
    this.#boots++;
  }

  get store(): RunStore {
    return runStore({ disk: this.disk, folders, drivers: { tryAcquire: () => () => undefined } });
  }

  lines(runId: string): JournalLine[] {
    return [...this.store.lines(runId)].map(({ line }) => line);
  }

  events(runId: string): RunEvent[] {
    return this.lines(runId).flatMap((line) => ("n" in line ? [line] : []));
  }

  /** The numbers of all events there are, in order. */
  get numbers(): number[] {
    const events = this.store.ids().flatMap((id) => this.events(id));
    return events.map(({ n }) => n).sort((a, b) => a - b);
  }

  journal(runId: string): string {
    return runPaths.journal(folders, runId);
  }
}
