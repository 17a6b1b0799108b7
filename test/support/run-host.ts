import { assumeRedacted, type Redacted } from "../../src/contract/redacted.ts";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeDisk } from "../../src/adapters/files/node-disk.ts";
import { sqliteHeldLocks, type HeldLocks } from "../../src/adapters/files/held-lock.ts";
import { sqliteLocks, type Locks } from "../../src/adapters/files/lock.ts";
import {
  EmbeddedHost,
  type EmbeddedHostParts,
  type RunStorage,
} from "../../src/adapters/journal-file/embedded-host.ts";
import { runFolders } from "../../src/adapters/layout/run-paths.ts";
import { runStore } from "../../src/adapters/journal-file/run-store.ts";
import type { RunStore } from "../../src/app/run/ports.ts";
import type { Grimoire, Json, ScriptStep, Step } from "../../src/contract/grimoire.ts";
import type { PinnedRun } from "../../src/contract/pinned-run.ts";
import { removeFolder } from "./remove-folder.ts";

/** A step whose work a test's handler does. */
export function script(name: string, more: Partial<ScriptStep> = {}): ScriptStep {
  return { name, type: "script", command: name, shell: "sh", input: {}, on_fail: "block", ...more };
}

export function pinned(steps: Step[], more: Partial<PinnedRun> & { timeout_ms?: number } = {}): Redacted<PinnedRun> {
  const { timeout_ms, ...rest } = more;
  const grimoire: Grimoire = { name: "flow", description: "For a test.", steps, ...(timeout_ms && { timeout_ms }) };
  return assumeRedacted<PinnedRun>({
    bead: { id: "proj-1", title: "Fix the login" },
    grimoire,
    grimoire_file: "flow.yaml",
    spells: {},
    variables: {} satisfies Record<string, Json>,
    settings: { engine: "scripted", timeouts_ms: { run: 7_200_000, agent: 900_000, script: 300_000 }, script: null },
    base: null,
    target: null,
    folder: "/",
    ...rest,
  });
}

/** A folder with runs on the real disk, in which several hosts act like several processes. `using` removes it. */
export class RunFolder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "clew-runs-")));
  readonly folders = runFolders(this.root);
  readonly #locks: Locks[] = [];

  host(storage: Partial<RunStorage> = {}): EmbeddedHost {
    const locks = sqliteLocks(join(this.root, "locks"));
    this.#locks.push(locks);
    const { folders, drivers } = this;
    return new EmbeddedHost({ disk: nodeDisk, folders, drivers, locks: async () => locks, ...storage }, hostParts());
  }

  get drivers(): HeldLocks {
    return sqliteHeldLocks(join(this.root, "locks", "runs"));
  }

  get store(): RunStore {
    return runStore({ disk: nodeDisk, folders: this.folders, drivers: this.drivers });
  }

  [Symbol.dispose](): void {
    for (const locks of this.#locks) locks.close();
    removeFolder(this.root);
  }
}

function hostParts(): EmbeddedHostParts {
  let ids = 0;
  return {
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    newId: () => `id${process.pid}x${++ids}x${Math.round(performance.now() * 1000)}`,
    boot: "boot-1",
    pid: process.pid,
    redact: assumeRedacted,
    endSurvivors: async () => undefined,
    lookEveryMs: 5,
  };
}
