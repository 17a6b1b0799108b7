import type { Repo } from "../support/repo.ts";

type GitAct = (repo: Repo, next: () => number, look: () => Promise<void>) => Promise<void>;

/** Undefined when it fails: git refuses what makes no sense at the moment, as it would a person. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What people do with git, to files that Clew writes. */
export const gitActs: Record<string, GitAct> = {
  "commit all": async (repo) => {
    attempt(() => repo.git("add", "-A"));
    attempt(() => repo.git("commit", "-q", "-m", "all"));
  },
  "stash and drop": async (repo, next, look) => {
    attempt(() => repo.git("add", "-A"));
    attempt(() => repo.git("stash", "-q"));
    if (next() < 0.7) await look();
    attempt(() => repo.git("stash", "drop", "-q"));
  },
  "stash and pop": async (repo, next, look) => {
    attempt(() => repo.git("stash", "-q", "--include-untracked"));
    if (next() < 0.5) await look();
    // What was written meanwhile is in the way; a person would then take what is there.
    if (attempt(() => repo.git("stash", "pop", "-q")) === undefined) {
      attempt(() => repo.git("checkout", "-q", "-f", "HEAD"));
      attempt(() => repo.git("stash", "drop", "-q"));
    }
  },
  "reset by one": async (repo) => void attempt(() => repo.git("reset", "-q", "--hard", "HEAD~1")),
  "reset to HEAD": async (repo) => void attempt(() => repo.git("reset", "-q", "--hard")),
  clean: async (repo) => void attempt(() => repo.git("clean", "-q", "-fdx")),
  "new branch": async (repo, next) =>
    void attempt(() => repo.git("checkout", "-q", "-b", `side-${Math.floor(next() * 1e6)}`)),
  "back to main": async (repo) => void attempt(() => repo.git("checkout", "-q", "-f", "main")),
  "delete branches": async (repo) => {
    attempt(() => repo.git("checkout", "-q", "-f", "main"));
    const names = repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads/side-*").trim().split("\n");
    attempt(() => repo.git("branch", "-q", "-D", ...names));
  },
  amend: async (repo) => {
    attempt(() => repo.git("add", "-A"));
    attempt(() => repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "amended"));
  },
  "forget and collect": async (repo) => {
    attempt(() => repo.git("reflog", "expire", "--expire=now", "--all"));
    attempt(() => repo.git("gc", "-q", "--prune=now"));
  },
};
