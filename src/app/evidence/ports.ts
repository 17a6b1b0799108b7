import type { EvidenceCall, EvidenceSight, WantedEvidence } from "../../contract/evidence.ts";
import type { EvidenceLine } from "../../contract/hook.ts";
import type { Sight } from "../../evidence/agreement.ts";
import type { Redacted } from "../../contract/redacted.ts";

/** The evidence of runs, on disk. */
export interface EvidenceFiles {
  /** All calls of a run, in order. */
  calls(run: string): EvidenceCall[];
  /** Adds a call; it is on disk when this returns. Throws when it cannot be written. */
  append(call: Redacted<EvidenceCall>): void;
  /** The runs that have evidence, and the sessions of work and talks, the one that got some last first. */
  owners(): string[];
  /** What the hooks of an owner's agents told, in order. */
  hookLines(owner: string): EvidenceLine[];
}

/** What hooks saw of connected agents, which no process of Clew's listens to. */
export interface SightFiles {
  /** What steps require now. */
  wanted(): WantedEvidence[];
  /** Their hooks look out for it from now on. Throws when it cannot be written. */
  want(wanted: Redacted<WantedEvidence>): void;
  unwant(run: string): void;
  /** It is on disk when this returns. Throws when it cannot be written. */
  add(sight: Redacted<EvidenceSight>): void;
  sights(run: string): EvidenceSight[];
}

/** What an engine's own transcript tells of a call; undefined when it is not there, or has not ended. */
export type TranscriptLook = (
  sight: Pick<EvidenceSight, "engine" | "transcript" | "tool_use_id">,
) => TranscriptSight | undefined;

export interface TranscriptSight extends Sight {
  /** Where it ran, and when it ended, where the engine tells it. */
  folder?: string | undefined;
  endedAt?: string | undefined;
}

/** What stands in the worktree of a step. Nothing here throws because git cannot tell. */
export interface WorktreeLook {
  /** The tree that a commit of all that stands there would have. */
  tree(): Promise<string | undefined>;
  head(): string | undefined;
  /** The files that differ between two trees or commits, of these globs (all without any). Undefined when git cannot tell. */
  changed(from: string, to: string, globs: readonly string[]): Promise<string[] | undefined>;
  /** The files of a tree that these globs cover. Undefined when git cannot tell. */
  filesIn(tree: string, globs: readonly string[]): Promise<string[] | undefined>;
  /** A file's path below the root; undefined when it is elsewhere. One that is relative is below `folder`, or the root. */
  pathBelow(file: string, folder?: string): string | undefined;
  /** What a file holds in a tree or commit; undefined when it is not there. */
  file(tree: string, path: string): Promise<string | undefined>;
  /** Whether a folder is the worktree's own. */
  isRoot(folder: string): boolean;
}
