import { spawn } from "node:child_process";
import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { whyNotStartable } from "../shell/find-program.ts";

const program = "bd";

/** Longer than any call should take, also the first one, which may start a server. */
const patienceMs = 60_000;
const pipeGraceMs = 500;
const mostBytes = 64 * 1024 * 1024;

/** Calls `bd`, and returns what it printed. Throws what a person can act on when it fails, hangs or is not there. */
export type Bd = (args: string[]) => Promise<string>;

interface BdParts {
  root: string;
  env: Record<string, string | undefined>;
  /** Only tests have less. */
  timeoutMs?: number;
}

export function bdProgram({ root, env, timeoutMs = patienceMs }: BdParts): Bd {
  // Whatever the shell around us points at, these are the beads that are meant.
  const own = { ...env, BEADS_DIR: join(root, ".beads"), BEADS_DB: undefined, NO_COLOR: "1" };
  return (args) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: root, env: own, stdio: ["ignore", "pipe", "pipe"], detached: true });
      const stdout: Buffer[] = [];
      let stderr = "";
      let size = 0;
      const settle = (work: () => void): void => {
        clearTimeout(timer);
        work();
      };
      const giveUp = (why: string): void => {
        endGroup(child.pid);
        settle(() => reject(failed(args, why)));
      };
      const timer = setTimeout(() => giveUp(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
      child.stdout.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostBytes) giveUp("it prints without end");
        else stdout.push(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        stderr = (stderr + chunk.toString("utf8")).slice(-2000);
      });
      const finish = (code: number | null, signal: string | null): void =>
        settle(() => {
          const text = Buffer.concat(stdout).toString("utf8");
          if (code === 0) return resolve(text);
          const said = stderr.trim() || text.trim().slice(-2000);
          reject(failed(args, said || (signal ?? `exit code ${code}`)));
        });
      child.once("error", (error) => settle(() => reject(failed(args, error.message, error))));
      child.once("close", finish);
      // A server that it leaves running may hold the pipe for ever.
      child.once("exit", (code, signal) => setTimeout(finish, pipeGraceMs, code, signal).unref());
    });
}

/** Refuses before anything is changed. */
export function refuseWithoutBd(database: string, root: string, env: Record<string, string | undefined>): void {
  if (whyNotStartable({ command: [program], folder: root, env }) === undefined) return;
  throw new ClewError(
    "not_available",
    `${database}: these beads belong to a bd database, and bd is not installed`,
    "install bd (github.com/steveyegge/beads) and repeat the command; writing past the database would be lost",
  );
}

function failed([command = ""]: string[], why: string, cause?: unknown): ClewError {
  return new ClewError(
    "not_available",
    `bd ${command} failed: ${why.replace(/^error:\s*/i, "")}`,
    "bd doctor tells more; nothing was written by clew itself",
    { cause },
  );
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended, and all that it started with it.
  }
}
