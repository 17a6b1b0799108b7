import { sleep } from "../system/system.ts";

/** Git makes a worktree's folder within milliseconds, and on a busy machine in more. */
const patienceMs = 5_000;
const retryMs = 20;

type Result = { code: number; stderr: string };

/**
 * Calls git again while another git is making a worktree. Git reads worktrees before it changes anything, so that a call
 * that failed like this has done nothing. When a killed git left the file so, the last failure is returned.
 */
export async function retryHalfMadeWorktree<T extends Result>(call: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    const result = await call();
    const isHalfMade = result.code > 0 && isHalfMadeError(result.stderr);
    if (!isHalfMade || performance.now() - startMs > patienceMs) return result;
    await sleep(retryMs);
  }
}

/** The error of every git that reads worktrees while another git has created this file and not yet written it. */
export function isHalfMadeError(stderr: string): boolean {
  return stderr.startsWith("fatal: failed to read ") && stderr.includes("/commondir: ");
}
