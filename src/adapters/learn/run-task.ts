import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunTask } from "../../app/learn/ports.ts";
import { attempt } from "../../text/attempt.ts";
import { markOf } from "../shell/process-marks.ts";
import { runChild } from "../shell/run-child.ts";

/** As long as the verifier of a task may take. */
const limitMs = 600_000;

/** Runs tasks on this machine, each on a copy of its files in a folder that is removed afterwards. */
export function localTasks(env: Record<string, string | undefined>, newId: () => string): RunTask {
  return async (folder, solved) => {
    const place = mkdtempSync(join(tmpdir(), "clew-task-"));
    const [workdir, logs] = [join(place, "app"), join(place, "logs")];
    const run = async (command: string[]): Promise<boolean> => {
      const { code } = await runChild(
        {
          command,
          folder: workdir,
          env: { ...env, CLEW_WORKDIR: workdir, CLEW_LOGS: logs },
          mark: markOf({ runId: "clew", path: "task" }, newId()),
        },
        {
          signal: AbortSignal.timeout(limitMs),
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
