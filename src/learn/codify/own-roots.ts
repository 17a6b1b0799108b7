/** The folders in which work of a repository stands: its root, and the worktrees of its runs, also those that are gone. */
export interface OwnFolders {
  /** The root by all its names, and the worktrees that there are. */
  roots: readonly string[];
  /** The folder in which each run has its worktree, by all its names. */
  worktrees: readonly string[];
}

/** Names paths from the root of the checkout in which they stand. */
export class OwnRoots {
  /** Worktrees stand inside of the root: the longest comes first. */
  readonly #roots: readonly string[];
  readonly #worktrees: readonly string[];

  constructor({ roots, worktrees }: OwnFolders) {
    this.#roots = roots.toSorted((a, b) => b.length - a.length);
    this.#worktrees = worktrees.map((folder) => `${folder}/`);
  }

  /** Whether a folder is the root of a checkout. */
  isRoot(folder: string): boolean {
    const path = folder.length > 1 ? folder.replace(/\/$/, "") : folder;
    return this.#rootOf(path) === path;
  }

  /** A path as it is named from the root; as it is where it does not lead below one. */
  relativePath(path: string): string {
    const root = this.#rootOf(path);
    return root !== undefined && path.length > root.length + 1 ? path.slice(root.length + 1) : path;
  }

  /** A text for people in which paths are named so, wherever they stand. */
  shortened(text: string): string {
    let short = text;
    for (const root of [...this.#worktrees, ...this.#roots.map((each) => `${each}/`)]) {
      const parts = short.split(root);
      if (parts.length === 1) continue;
      const isWorktrees = this.#worktrees.includes(root);
      const rest = parts.slice(1).map((part) => (isWorktrees ? part.replace(/^[^\s/"']+\/?/, "") : part));
      short = [parts[0], ...rest].join("");
    }
    return short;
  }

  #rootOf(path: string): string | undefined {
    const isBelow = (root: string): boolean => path === root || path.startsWith(`${root}/`);
    const known = this.#roots.find(isBelow);
    const worktrees = this.#worktrees.find((folder) => path.startsWith(folder) && path.length > folder.length);
    if (worktrees === undefined) return known;
    const end = path.indexOf("/", worktrees.length);
    return end < 0 ? path : path.slice(0, end);
  }
}
