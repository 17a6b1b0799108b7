import { sleep } from "../system/system.ts";

/** Git makes a worktree's folder within milliseconds; a busy machine may let it wait. */
const patienceMs = 5_000;
const lookAgainMs = 20;

/**
 * Calls git again while another git is in the middle of making a worktree. Git looks at worktrees before it changes anything, so that a
 * call that died of it has done nothing. What a git that was killed left so is git's last answer.
 */
export async function pastHalfMade<T extends { code: number; stderr: string }>(call: () => Promise<T>): Promise<T> {
  const start = performance.now();
  for (;;) {
    const end = await call();
    if (end.code <= 0 || !diedOfHalfMade(end.stderr) || performance.now() - start > patienceMs) return end;
    await sleep(lookAgainMs);
  }
}

/** Every command of git that looks at worktrees dies so while another git has made this file and not yet written it. */
function diedOfHalfMade(stderr: string): boolean {
  return stderr.startsWith("fatal: failed to read ") && stderr.includes("/commondir: ");
}
