import { relative, sep } from "node:path";
import { readBlock } from "../../session/frontmatter/frontmatter.ts";
import { parseLive } from "../../session/live.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import { reconcile } from "../../session/reconcile.ts";
import type { Disk } from "../files/disk.ts";
import { gitBlobName } from "../files/git-blob.ts";
import { paths, type Layout } from "../files/layout.ts";
import type { Git } from "./git.ts";
import { headCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** Whether git holds all that was acknowledged in a session, so that its write-ahead copy has done its work. */
export interface Committed {
  /** HEAD has the file just as it is. */
  atHead(id: string): boolean;
  /** A commit on any branch has it. */
  somewhere(id: string): boolean;
}

export function committedIn(disk: Disk, layout: Layout, repository: Repository, git: Git): Committed {
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
    atHead(id) {
      const bytes = disk.read(paths.record(layout, id));
      const head = headCommit(repository);
      if (!bytes || head === undefined) return false;
      return (
        git.blobAt(head, recordPath(id)) === gitBlobName(bytes, head.length === 64 ? "sha256" : "sha1") &&
        holdsAll(id, bytes.toString("utf8"))
      );
    },

    somewhere(id) {
      const commit = git.lastCommitWith(recordPath(id));
      const blob = commit && git.blobAt(commit, recordPath(id));
      const content = blob && git.readBlob(blob)?.toString("utf8");
      return content !== undefined && content !== "" && holdsAll(id, content);
    },
  };
}
