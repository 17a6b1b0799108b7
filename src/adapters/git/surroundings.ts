import { relative, sep } from "node:path";
import type { Clock, Seen, SessionRecords, Surroundings } from "../../app/ports.ts";
import { parseLive } from "../../session/live.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import { reconcile } from "../../session/reconcile.ts";
import type { Disk } from "../files/disk.ts";
import { gitBlobName } from "../files/git-blob.ts";
import { paths, type Layout } from "../files/layout.ts";
import type { Git } from "./git.ts";
import { headBranch, headCommit, type Repository } from "./repository.ts";

/** Two changes of a folder within this time may bear the same time stamp on some file systems. */
const timeGrainMs = 20;

interface Parts {
  disk: Disk;
  layout: Layout;
  repository: Repository;
  git: Git;
  clock: Clock;
  records: SessionRecords;
}

export function gitSurroundings({ disk, layout, repository, git, clock, records }: Parts): Surroundings {
  const folder = relative(layout.root, layout.sessions).split(sep).join("/");
  const recordPath = (id: string): string => `${folder}/${id}/session.md`;

  /** Whether this content lacks nothing of what the write-ahead copy holds. */
  function holdsAll(id: string, content: string): boolean {
    const live = parseLive(disk.read(paths.live(layout, id))?.toString("utf8") ?? "");
    const body = normaliseLineEnds(content.slice(readBlock(content).length));
    const { missing, amend } = reconcile(body, live.entries);
    return missing.length === 0 && amend.length === 0;
  }

  return {
    headCommit: () => headCommit(repository),
    headBranch: () => headBranch(repository),

    changedSessions(from, to) {
      const changed = git.changedPaths(from, to, folder);
      return changed && [...new Set(changed.map((path) => path.slice(folder.length + 1).split("/")[0]!))];
    },

    isCommittedElsewhere(id) {
      const commit = git.lastCommitWith(recordPath(id));
      const blob = commit && git.blobAt(commit, recordPath(id));
      const content = blob && git.readBlob(blob)?.toString("utf8");
      return content !== undefined && content !== "" && holdsAll(id, content);
    },

    dropCommittedCopy: (id) =>
      records.dropCopy(id, () => {
        const bytes = disk.read(paths.record(layout, id));
        if (!bytes) return true;
        const head = headCommit(repository);
        const committed = head && git.blobAt(head, recordPath(id));
        return committed === gitBlobName(bytes) && holdsAll(id, bytes.toString("utf8"));
      }),

    readSeen() {
      try {
        const text = disk.read(paths.seen(layout))?.toString("utf8") ?? "";
        const seen = JSON.parse(text.slice(0, text.indexOf("\n"))) as Seen | null;
        return { folder: seen?.folder ?? null, head: seen?.head ?? null };
      } catch {
        return { folder: null, head: null };
      }
    },

    writeSeen(seen) {
      disk.makeFolder(paths.stateFolder(layout));
      disk.overwrite(paths.seen(layout), Buffer.from(`${JSON.stringify(seen)}\n`));
    },

    folderTime() {
      const stamp = disk.stamp(layout.sessions);
      if (!stamp) return "none";
      const ageMs = clock.now() - Number(BigInt(stamp.mtimeNs) / 1_000_000n);
      return ageMs > timeGrainMs ? `${stamp.ino}-${stamp.mtimeNs}` : null;
    },
  };
}
