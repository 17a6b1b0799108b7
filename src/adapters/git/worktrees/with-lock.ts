/** Lets one process at a time make, move or remove worktrees of a repository: git itself does not. */
export type WithLock = <T>(work: () => Promise<T>) => Promise<T>;
