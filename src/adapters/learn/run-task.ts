import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunTask } from "../../app/learn/ports.ts";
import { attempt } from "../../text/attempt.ts";
import { removeRepositoryVariables } from "../git/environment.ts";
import { markOf } from "../shell/process-marks.ts";
import { runChild } from "../shell/run-child.ts";
import { removeLeft } from "./remove-left.ts";

/** As long as the verifier of a task may take. */
const limitMs = 600_000;
const folderPrefix = "clew-task-";

/**
 * Runs tasks on this machine, each on a copy of its files in a folder that is removed afterwards. A task has a process group of its own, which
 * ends with it.
 */
export function localTasks(env: Record<string, string | undefined>, newId: () => string): RunTask {
  removeLeft(tmpdir(), folderPrefix, "");
  return async ({ folder, solved, signal }) => {
    const place = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
    const [workdir, logs] = [join(place, "app"), join(place, "logs")];
    // Git must not take the copy for a part of the repository around it.
    const taskEnv = { ...env, CLEW_WORKDIR: workdir, CLEW_LOGS: logs, PWD: workdir, GIT_CEILING_DIRECTORIES: place };
    removeRepositoryVariables(taskEnv);
    const ends = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const run = async (command: string[]): Promise<boolean> => {
      const { code } = await runChild(
        { command, folder: workdir, env: taskEnv, mark: markOf({ runId: "clew", path: "task" }, newId()) },
        {
          signal: ends,
          onStarted: () => undefined,
          onStdout: () => undefined,
          onStderr: () => undefined,
        },
      );
      return code === 0;
    };
    try {
      mkdirSync(workdir);
      if (!(await run(["tar", "-xf", join(folder, "environment/repo.tar"), "-C", workdir]))) return undefined;
      if (solved && !(await run(["bash", join(folder, "solution/solve.sh")]))) return undefined;
      await run(["bash", join(folder, "tests/test.sh")]);
      return attempt(() => Number(readFileSync(join(logs, "reward.txt"), "utf8")), undefined);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  };
}
