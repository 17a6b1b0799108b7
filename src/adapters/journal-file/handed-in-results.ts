import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import type { HandedInResults } from "../../app/run/connected/ports.ts";
import type { AgentResult } from "../../contract/engine.ts";
import { json } from "../../contract/json.ts";
import type { Redacted } from "../../contract/redacted.ts";
import { addressText } from "../../contract/run.ts";
import { resultOf } from "../../engine/result-contract.ts";
import type { Disk } from "../files/disk.ts";
import { readJson } from "../files/read-json.ts";
import { runPaths } from "../layout/run-paths.ts";

interface Parts {
  disk: Disk;
  folder: string;
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
}

/** How often to look for what another process took. */
const lookEveryMs = 200;

/** `result` is undefined while it waits for one; one that was given stays until the step is completed. */
interface OwnAttempt {
  run: string;
  result?: Redacted<AgentResult>;
  wake?: () => void;
}

const handedInFile = z.object({ version: z.literal(1), step: z.string(), result: json });

/**
 * Results of connected agents. What this process waits for goes to its waiter, and into the journal with its step; any other is
 * one synced file, until the process that waits for it has taken it up.
 */
export function handedInResults({ disk, folder, later }: Parts): HandedInResults {
  /** The attempts that this process works on, by the path of their file. */
  const own = new Map<string, OwnAttempt>();
  const pathOf = (run: string, address: string): string =>
    runPaths.handedIn(folder, run, createHash("sha256").update(address).digest("hex").slice(0, 32));
  const read = (path: string, address: string): AgentResult | undefined =>
    readJson(disk, path, (value) => {
      const { step, result } = z.parse(handedInFile, value);
      return step === address ? resultOf(result) : undefined;
    });
  const write = (path: string, address: string, result: Redacted<AgentResult>): boolean => {
    disk.makeFolder(folder);
    const text = `${JSON.stringify({ version: 1, step: address, result })}\n`;
    return disk.create(path, Buffer.from(text), 0o600);
  };
  return {
    put(run, step, result) {
      const address = addressText(step);
      const path = pathOf(run, address);
      const attempt = own.get(path);
      if (!attempt) return write(path, address, result) ? "left" : "known";
      if (attempt.result ?? read(path, address)) return "known";
      attempt.result = result;
      attempt.wake?.();
      return "taken";
    },
    keep(run, step) {
      const path = pathOf(run, addressText(step));
      const result = own.get(path)?.result;
      if (result) write(path, addressText(step), result);
    },
    get(run, step) {
      const path = pathOf(run, addressText(step));
      return own.get(path)?.result ?? read(path, addressText(step));
    },
    async wait(run, address, signal) {
      const path = pathOf(run, address);
      const attempt: OwnAttempt = { run };
      own.set(path, attempt);
      for (;;) {
        const result = attempt.result ?? read(path, address);
        if (result) return result;
        if (signal.aborted) break;
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            callOff();
            delete attempt.wake;
            signal.removeEventListener("abort", wake);
            resolve();
          };
          const callOff = later(lookEveryMs, wake);
          attempt.wake = wake;
          signal.addEventListener("abort", wake, { once: true });
        });
      }
      own.delete(path);
      return undefined;
    },
    clear(run, open) {
      const kept = open && pathOf(run, addressText(open));
      for (const [path, attempt] of own) if (attempt.run === run && path !== kept) own.delete(path);
      for (const name of disk.list(folder)) {
        const path = join(folder, name);
        if (runPaths.isSignalOf(name, run) && path !== kept) disk.remove(path);
      }
    },
  };
}
