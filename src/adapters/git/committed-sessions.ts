import { relative, sep } from "node:path";
import { endStatuses } from "../../contract/session-values.ts";
import { Damaged, readBlock, readValues } from "../../session/frontmatter/frontmatter.ts";
import { parseLive } from "../../session/write-ahead-copy.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import { type Disk, pathExists } from "../files/disk.ts";
import { paths, type Layout } from "../layout.ts";
import { limits } from "../files/limits.ts";
import { findMissing } from "../files/find-missing-entries.ts";
import type { Git } from "./git.ts";
import { headBranch, headCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";

/**
 * What git holds of sessions for good. Only what a branch or remote branch reaches counts: the next command may drop a
 * stash, a tag or the reflog.
 */
export interface CommittedSessions {
  /** The session ended, and a branch reaches all that was acknowledged in it: its write-ahead copy may go. */
  isDone(id: string): boolean;
  /**
   * A file that is missing in the checkout is not lost: another branch than the checked out one reaches all of it, or any
   * branch when the session ended. An open session that HEAD has is missing by mistake.
   */
  isElsewhere(id: string): boolean;
}

/** How many commits are read: each takes a call of git. */
const maxCommits = 8;

export function committedSessions(disk: Disk, layout: Layout, repository: Repository, git: Git): CommittedSessions {
  const folder = relative(layout.root, layout.sessions).split(sep).join("/");
  const recordPath = (id: string): string => `${folder}/${id}/session.md`;
  const contentAtHead = (id: string): string | undefined => {
    const head = headCommit(repository);
    return head && git.contentAt(head, recordPath(id))?.toString("utf8");
  };

  /** The record on the branch that is checked out, then on all branches. */
  function* contents(id: string): Generator<string> {
    const branch = headBranch(repository);
    const headContent = branch === undefined || branch.startsWith("clew/") ? undefined : contentAtHead(id);
    if (headContent !== undefined) yield headContent;
    // A file in the checkout is looked for on its branch alone: most sessions are checked while they are being written.
    if (pathExists(disk, paths.record(layout, id))) return;
    for (const commit of git.commitsWith(recordPath(id), maxCommits)) {
      const content = git.contentAt(commit, recordPath(id))?.toString("utf8");
      if (content !== undefined) yield content;
    }
  }

  /** The frontmatter of the first content that lacks nothing of what the write-ahead copy holds. */
  function committedValues(id: string): Record<string, unknown> | undefined {
    const live = parseLive(disk.read(paths.live(layout, id), limits.copy)?.toString("utf8") ?? "");
    for (const content of contents(id)) {
      const values = valuesOf(content);
      if (!values) continue;
      const body = normaliseLineEnds(content.slice(readBlock(content).length));
      const { missing, amendments, lostSettings } = findMissing(body, values, live, (blob) => git.readBlob(blob));
      if (missing.length === 0 && amendments.length === 0 && Object.keys(lostSettings).length === 0) return values;
    }
    return undefined;
  }

  return {
    isDone: (id) => hasEnded(committedValues(id)),
    isElsewhere(id) {
      const values = committedValues(id);
      return values !== undefined && (hasEnded(values) || contentAtHead(id) === undefined);
    },
  };
}

function hasEnded(values: Record<string, unknown> | undefined): boolean {
  return endStatuses.some((status) => status === values?.["status"]);
}

/** Undefined for frontmatter that Clew did not write: when in doubt, the copy stays. */
function valuesOf(content: string): Record<string, unknown> | undefined {
  try {
    return readValues(readBlock(content));
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
}
