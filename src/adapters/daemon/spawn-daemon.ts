import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { SpawnedDaemon } from "../../app/daemon/process-ports.ts";
import { markVariable } from "../shell/process-marks.ts";
import { withoutTokens } from "../shell/without-tokens.ts";
import { openLog } from "./daemon-log.ts";

interface Parts {
  root: string;
  /** The file of this program. */
  program: string;
  log: string;
  env: Record<string, string | undefined>;
}

/** What tells a process for which step, run, session or talk it works: a daemon works for none. */
const placeVariables = [markVariable, "CLEW_RUN", "CLEW_STEP", "CLEW_SESSION", "CLEW_GATE", "CLEW_MCP_URL"] as const;
const ownVariables = [...placeVariables, "CLEW_MCP_TOKEN", "CLEW_WIDTH"];

/** Starts a daemon in a session of its own, which outlives this process and its terminal. What it prints before it has its log goes there. */
export function spawnDaemon({ root, program, log, env }: Parts, port: number | undefined): SpawnedDaemon {
  const others = Object.entries(withoutTokens(env)).filter(([name]) => !ownVariables.includes(name));
  const daemonEnv = Object.fromEntries(others);
  const args = [program, "daemon", "run", ...(port === undefined ? [] : ["--port", String(port)])];
  const fd = openLog(log);
  try {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: daemonEnv,
      detached: true,
      stdio: ["ignore", "ignore", fd],
    });
    let hasEnded = false;
    const onEnd = (): void => void (hasEnded = true);
    child.once("exit", onEnd).once("error", onEnd);
    child.unref();
    return { pid: child.pid, hasEnded: () => hasEnded };
  } finally {
    closeSync(fd);
  }
}
