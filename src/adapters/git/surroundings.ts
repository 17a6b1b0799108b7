import { relative, sep } from "node:path";
import type { Clock, IndexBaseline, SessionRecords, Surroundings } from "../../app/session/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { paths, type Layout } from "../layout.ts";
import type { CommittedSessions } from "./committed-sessions.ts";
import type { Git } from "./git.ts";
import { headBranch, headCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** On some file systems, two changes of a folder within this time have the same time stamp. */
const timeGrainMs = 20;

interface Parts {
  disk: Disk;
  layout: Layout;
  repository: Repository;
  git: Git;
  clock: Clock;
  records: SessionRecords;
  committed: CommittedSessions;
}

export function gitSurroundings({ disk, layout, repository, git, clock, records, committed }: Parts): Surroundings {
  const folder = relative(layout.root, layout.sessions).split(sep).join("/");
  return {
    headCommit: () => headCommit(repository),
    headBranch: () => headBranch(repository),

    changedSessions(from, to) {
      const changed = git.changedPaths(from, to, folder);
      return changed && [...new Set(changed.map((path) => path.slice(folder.length + 1).split("/")[0]!))];
    },

    isElsewhere: (id) => committed.isElsewhere(id),
    branchesName: () => git.branchesHash() ?? null,
    dropCommittedCopy: (id) => records.dropCopy(id, () => committed.isDone(id)),

    readSeen() {
      try {
        const text = disk.read(paths.seen(layout))?.toString("utf8") ?? "";
        const baseline = JSON.parse(text.slice(0, text.indexOf("\n"))) as IndexBaseline | null;
        return { folder: baseline?.folder ?? null, head: baseline?.head ?? null, branches: baseline?.branches ?? null };
      } catch {
        return { folder: null, head: null, branches: null };
      }
    },

    writeSeen(baseline) {
      try {
        disk.makeFolder(paths.stateFolder(layout));
        disk.overwrite(paths.seen(layout), Buffer.from(`${JSON.stringify(baseline)}\n`));
      } catch (error) {
        // Without a baseline, the next reader compares everything again.
        if (!(error instanceof ClewError)) throw error;
      }
    },

    folderTime() {
      const stamp = disk.stamp(layout.sessions);
      if (!stamp) return "none";
      const ageMs = clock.now() - Number(BigInt(stamp.mtimeNs) / 1_000_000n);
      return ageMs > timeGrainMs ? `${stamp.ino}-${stamp.mtimeNs}` : null;
    },
  };
}
