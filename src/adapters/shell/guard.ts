import { spawn } from "node:child_process";

/** How long processes have to end by itself after a TERM. */
const graceSeconds = 10;

/**
 * Waits for a word. When the pipe ends without one, the process that held it is dead, and all that the agent started has to end: its
 * group, and what left that, by the mark in its environment, where the system shows environments.
 */
const script = `read word && exit
marked() { grep -lsF -e "$2" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n'; }
pids=$(marked "$@")
kill -s TERM -- "-$1" $pids
seconds=0
while [ $seconds -lt ${graceSeconds} ]; do
  pids=$(marked "$@")
  kill -s 0 -- "-$1" || [ -n "$pids" ] || exit
  sleep 1
  seconds=$((seconds + 1))
done
for round in 1 2 3; do
  kill -s KILL -- "-$1" $(marked "$@")
done`;

/**
 * Ends an agent with all that it started when this process dies without a word, also by SIGKILL: a little shell in a session of its
 * own holds the other end of a pipe. Returns what ends the guard; it has to be called when the agent has ended. Never throws:
 * without a guard, the agent works on to the end of its round.
 */
export function guardAgent({ pid, mark }: { pid: number; mark: string }): () => void {
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(pid), mark], {
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
