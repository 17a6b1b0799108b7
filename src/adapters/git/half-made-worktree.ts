import { sleep } from "../system/system.ts";

/** Git makes a worktree's folder within milliseconds; a busy machine may let it wait. */
const patienceMs = 5_000;
const retryMs = 20;

/** What every command of git that looks at worktrees dies of while another git has made this file and not yet written it. */
const halfMadeError = /^fatal: failed to read .*\/worktrees\/.*\/commondir: /m;

/**
 * Calls git again while another git is in the middle of making a worktree. Git looks at worktrees before it changes anything, so that a
 * call that died of it has done nothing. What a git that was killed left so is git's last answer.
 */
export async function retryHalfMadeWorktree<T extends { code: number; stderr: string }>(
  call: () => Promise<T>,
): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    const result = await call();
    if (result.code <= 0 || !halfMadeError.test(result.stderr) || performance.now() - startMs > patienceMs)
      return result;
    await sleep(retryMs);
  }
}
