import { markOf } from "../shell/marks.ts";
import { systemIds } from "../system/system.ts";
import { gitCalls, type GitCalls } from "./git-calls.ts";
import { readOnlyCalls } from "./read-only-git.ts";

/** Git outside of steps: what it runs need not be recorded, because nothing is left half done by its end. */
export function unrecordedGit(env: Record<string, string | undefined>): GitCalls {
  return gitCalls({
    env,
    signal: new AbortController().signal,
    newMark: () => markOf({ runId: "clew", path: "git" }, systemIds.random(20)),
    onProcess: () => undefined,
    onOutput: () => undefined,
  });
}

/** The same for whoever only looks: what the repository's own settings name is not started for them. */
export function readOnlyGit(env: Record<string, string | undefined>): GitCalls {
  return readOnlyCalls(unrecordedGit(env), env);
}
