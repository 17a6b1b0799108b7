/** Calls `work` once the time has passed; returns how to call it off. */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Resolves when the time has passed, or `sooner` resolves. */
export async function pause(ms: number, sooner: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([new Promise((done) => (timer = setTimeout(done, ms))), sooner]);
  clearTimeout(timer);
}
