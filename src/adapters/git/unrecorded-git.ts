import { markOf } from "../shell/process-marks.ts";
import { systemIds } from "../system/system.ts";
import { gitCalls, type GitCalls } from "./git-calls.ts";
import { readOnlyCalls } from "./read-only-git.ts";

/** Git outside of steps. Its processes need not be recorded, because nothing is half done when they end. */
export function unrecordedGit(env: Record<string, string | undefined>): GitCalls {
  return gitCalls({
    env,
    signal: new AbortController().signal,
    newMark: () => markOf({ runId: "clew", path: "git" }, systemIds.random(20)),
    onProcess: () => undefined,
    onOutput: () => undefined,
  });
}

/** The same for readers: it starts no program that the repository's own settings name. */
export function readOnlyGit(env: Record<string, string | undefined>): GitCalls {
  return readOnlyCalls(unrecordedGit(env), env);
}
