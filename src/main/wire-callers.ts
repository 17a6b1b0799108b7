import { isBelow } from "../adapters/files/bounds.ts";
import { realPath } from "../adapters/files/real-path.ts";
import { rehydrationFiles } from "../adapters/files/rehydration-files.ts";
import { madeCalls } from "../adapters/hooks/made-calls.ts";
import type { CallersRunsParts } from "../app/run/connected/callers-runs.ts";
import type { RunStore } from "../app/run/ports.ts";

/** By what it is known on which runs an agent of the user's works. */
export function callersParts(home: string, store: RunStore): CallersRunsParts {
  return {
    store,
    log: rehydrationFiles(home),
    hasMadeCall: madeCalls(home),
    isWithin: (folder, other) => realPath(folder) === realPath(other) || isBelow(realPath(folder), realPath(other)),
  };
}
