import { existsSync } from "node:fs";
import type { RunDiffs } from "../../../app/run-ports.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { GitCalls } from "../git-calls.ts";
import { offeredDiff } from "../merge/diff.ts";
import type { Repository } from "../repository.ts";

/** What runs changed, as git shows it. */
export function runDiffs({ git, repository }: { git: GitCalls; repository: Repository }): RunDiffs {
  return {
    offered: (offer, paths) => offeredDiff(git, repository, offer, paths),
    async underWay({ folder, base }, paths) {
      if (base === null || !existsSync(folder)) {
        throw new ClewError("not_possible_now", `${folder} is not there (any more)`, "clew run show tells what is");
      }
      const how = ["--no-ext-diff", "--no-textconv", "--no-color", "-M"];
      const args = ["--literal-pathspecs", "diff", ...how, base, "--", ...paths];
      const { code, stdout, stderr } = await git.plain(folder, args);
      if (code !== 0)
        throw new ClewError("not_possible_now", `git diff failed: ${stderr.trim()}`, `look into ${folder}`);
      const untracked = await git.plain(folder, ["ls-files", "--others", "--exclude-standard", "-z"]);
      return { diff: stdout, untracked: untracked.stdout.toString("utf8").split("\0").filter(Boolean) };
    },
  };
}
