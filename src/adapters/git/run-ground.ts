import { realpathSync } from "node:fs";
import type { RunGround } from "../../app/run/ports.ts";
import { ClewError, type ErrorCode } from "../../contract/errors.ts";
import type { GitCalls } from "./git-calls.ts";
import { whyNoIdentity } from "./merge/plumbing/identity.ts";
import type { Repository } from "./repository.ts";
import { refuseOccupied } from "./worktrees/clear-place.ts";
import { readEntries } from "./worktrees/git-worktree-entries.ts";
import { WorktreeRefusal } from "./worktrees/refusal.ts";
import { refuseNoRoom } from "./worktrees/disk-room.ts";
import { refuseNonFolder } from "./worktrees/worktree-folder.ts";
import { worktreePaths } from "../layout/worktree-paths.ts";

interface Parts {
  git: GitCalls;
  repository: Repository;
  /** Whether a run has ended; also true of one that is unknown. */
  isOver: (runId: string) => boolean;
}

/** Checks before a run begins what its first step and its merge would fail for. */
export function runGround({ git, repository, isOver }: Parts): RunGround {
  /** Git knows folders by their real names. */
  const realRepository = (): Repository => ({
    ...repository,
    root: realpathSync(repository.root),
    commonDir: realpathSync(repository.commonDir),
  });
  return {
    async refuseNameless() {
      const refusal = await whyNoIdentity(git, repository.root);
      if (!refusal) return;
      const [what = "", hint = ""] = refusal.message.split(/: (.*)/s);
      // Git also refuses to read a repository of another user.
      if (!refusal.output.includes("dubious ownership")) throw new ClewError("not_possible_now", what, hint);
      throw new ClewError("not_possible_now", "git refuses to work in this repository", refusal.output);
    },
    refuseNoRoom: (base) => explainRefusal("disk_full", () => refuseNoRoom(git, repository, base)),
    refuseTakenPlace: (beadId) =>
      explainRefusal("not_possible_now", async () => {
        const realPlace = realRepository();
        refuseNonFolder(realPlace.root);
        const folder = worktreePaths.of(realPlace.root, beadId);
        refuseOccupied(realPlace, { newFolder: folder, entries: await readEntries(git, realPlace), isOver });
      }),
  };
}

async function explainRefusal(code: ErrorCode, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof WorktreeRefusal ? new ClewError(code, error.reason, error.hint) : error;
  }
}
