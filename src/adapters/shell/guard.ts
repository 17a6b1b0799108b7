import { spawn } from "node:child_process";

/** How long a group has to end by itself after a TERM. */
const graceSeconds = 10;

/** Waits for a word. When the pipe ends without one, the process that held it is dead, and the group has to end. */
const script = `read word && exit
kill -s TERM -- "-$1"
sleep ${graceSeconds}
kill -s KILL -- "-$1"`;

/**
 * Ends a process group when this process dies without a word, also by SIGKILL: a little shell in a session of its own holds the
 * other end of a pipe. Returns what ends the guard; it has to be called when the group has ended. Never throws: without a
 * guard, the agent works on to the end of its round.
 */
export function guardGroup({ pid }: { pid: number }): () => void {
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(pid)], {
    cwd: "/",
    // Without the marks of this process: who ends what a step started must not wait for the guard.
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  return () => guard.stdin.end("done\n");
}
