import type { ExclusionReason } from "../../../contract/learn-values.ts";
import type { Redact } from "../../../contract/redacted.ts";
import { baseImage } from "../../../learn/export/harbor/base-image.ts";
import type { CommitFile, CommitFiles } from "../ports.ts";

/** A larger file is no part of a task. */
const mostFileBytes = 100 * 1024 * 1024;
/** Files are looked through in such pieces, which overlap so much that nothing small is cut in all of them. */
const pieceBytes = 1 << 23;
const overlapBytes = 1 << 16;

/** Why no task can be made, with the file that it is about. */
export interface Obstacle {
  reason: ExclusionReason;
  file?: string;
}

/** The files of a commit, as far as tasks ask. */
export interface CommitFacts {
  bytes: number;
  image: string;
  obstacle: Obstacle | undefined;
}

export interface CommitChanges {
  changed: string[];
  removed: string[];
}

/** Looks at each commit once, and at each content of a file once: tasks of a repository have nearly all of them in common. */
export class KnownCommits {
  readonly #commits: CommitFiles;
  readonly #redact: Redact;
  readonly #facts = new Map<string, CommitFacts>();
  readonly #obstacles = new Map<string, Obstacle | undefined>();
  readonly #changes = new Map<string, CommitChanges | undefined>();
  /** What was looked through and holds no secret. */
  readonly #clean = new Set<string>();

  constructor(commits: CommitFiles, redact: Redact) {
    this.#commits = commits;
    this.#redact = redact;
  }

  /** What the later commit changed; undefined when it is none, or too far away. */
  changes(from: string, to: string): CommitChanges | undefined {
    return remembered(this.#changes, `${from} ${to}`, () =>
      this.#commits.isAncestor(from, to) ? this.#commits.changes(from, to) : undefined,
    );
  }

  /** Why nothing of a commit can be used. */
  obstacle(commit: string): Obstacle | undefined {
    return remembered(this.#obstacles, commit, () => {
      if (!this.#commits.has(commit)) return { reason: "not_checked_out" };
      return this.#commits.differsInArchives(commit) ? { reason: "archive_differs" } : undefined;
    });
  }

  /** All files of a commit. */
  facts(commit: string): CommitFacts {
    return remembered(this.#facts, commit, () => {
      const files = this.#commits.files(commit);
      const names = files.filter(({ path }) => !path.includes("/")).map(({ path }) => path);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      return { bytes, image: baseImage(names), obstacle: this.#obstacleIn(files) };
    });
  }

  /** Why these files of a commit can be no part of a task. */
  obstacleIn(commit: string, paths: readonly string[]): Obstacle | undefined {
    const wanted = new Set(paths);
    return this.#obstacleIn(this.#commits.files(commit).filter(({ path }) => wanted.has(path)));
  }

  #obstacleIn(files: readonly CommitFile[]): Obstacle | undefined {
    const large = files.find(({ bytes }) => bytes > mostFileBytes);
    if (large) return { reason: "too_large", file: large.path };
    const named = files.find(({ path }) => this.#redact(path) !== path);
    if (named) return { reason: "secret_in_files", file: this.#redact(named.path) };
    const fresh = files.filter(({ blob }) => !this.#clean.has(blob));
    for (const [{ path, blob }, bytes] of this.#commits.contents(fresh)) {
      if (!bytes) return { reason: "not_checked_out", file: path };
      if (this.#holdsSecret(bytes)) return { reason: "secret_in_files", file: path };
      this.#clean.add(blob);
    }
    return undefined;
  }

  #holdsSecret(bytes: Uint8Array): boolean {
    const decoder = new TextDecoder();
    for (let at = 0; at < bytes.length; at += pieceBytes - overlapBytes) {
      const text = decoder.decode(bytes.subarray(at, at + pieceBytes));
      if (this.#redact(text) !== text) return true;
    }
    return false;
  }
}

function remembered<T>(known: Map<string, T>, key: string, find: () => T): T {
  if (known.has(key)) return known.get(key) as T;
  const found = find();
  known.set(key, found);
  return found;
}
