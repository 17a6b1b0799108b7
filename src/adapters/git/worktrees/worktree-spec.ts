import type { Repository } from "../repository.ts";

/** The worktree that a run is to have. */
export interface WorktreeSpec extends Repository {
  bead: string;
  runId: string;
  branch: string;
  /** The commit that it begins at. */
  base: string;
  target: string | null;
  /** Patterns of files to copy from the main checkout. */
  copy: string[];
}
