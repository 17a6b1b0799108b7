import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runBranch } from "../../../contract/worktree.ts";
import { systemIds } from "../../system/system.ts";
import { gitCalls, type GitCalls } from "../git-calls.ts";
import type { WithLock } from "../locks-of-git.ts";
import { makeWorktree, type WorktreeOutcome } from "./make-worktree.ts";
import type { WorktreeSpec } from "./add-worktree.ts";

/** Nothing of the surrounding shell decides what a test sees. */
const env: Record<string, string> = {
  PATH: process.env["PATH"] ?? "",
  HOME: tmpdir(),
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Someone",
  GIT_AUTHOR_EMAIL: "someone@example.com",
  GIT_COMMITTER_NAME: "Someone",
  GIT_COMMITTER_EMAIL: "someone@example.com",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "protocol.file.allow",
  GIT_CONFIG_VALUE_0: "always",
};

/** A throw-away repository with one file and one commit. `using` removes it. */
export class GitRepo {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly calls: GitCalls;
  /** What was said to a person. */
  readonly reports: string[] = [];
  /** Runs that are over. */
  readonly over = new Set<string>();
  readonly withLock: WithLock;
  readonly #parent: string;

  constructor(name = "a project") {
    this.#parent = realpathSync(mkdtempSync(join(tmpdir(), "clew-worktrees-")));
    this.root = join(this.#parent, name);
    this.commonDir = join(this.root, ".git");
    this.gitDir = this.commonDir;
    mkdirSync(this.root);
    this.git("init", "-q", "-b", "main");
    this.write("file", "one\n");
    this.commit("first");
    this.calls = gitCalls({
      env,
      signal: new AbortController().signal,
      newMark: () => systemIds.random(20),
      onProcess: () => undefined,
      onOutput: () => undefined,
    });
    let last: Promise<unknown> = Promise.resolve();
    this.withLock = (work) => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
  }

  write(path: string, text: string, mode = 0o644): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }

  read(...path: string[]): string | undefined {
    const file = join(...path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  commit(message: string, folder = this.root): string {
    this.gitIn(folder, "add", "-A");
    this.gitIn(folder, "commit", "-q", "--allow-empty", "-m", message);
    return this.head(folder);
  }

  head(folder = this.root): string {
    return this.gitIn(folder, "rev-parse", "HEAD").trim();
  }

  hook(name: string, script: string): void {
    this.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`, 0o755);
  }

  /** A repository beside this one, as its submodule `sub`. */
  addSubmodule(): void {
    const other = join(this.#parent, "other");
    mkdirSync(other);
    this.gitIn(other, "init", "-q", "-b", "main");
    writeFileSync(join(other, "inner"), "inner\n");
    this.commit("inner", other);
    this.git("submodule", "--quiet", "add", other, "sub");
    this.commit("with a submodule");
  }

  spec(more: Partial<WorktreeSpec> = {}): WorktreeSpec {
    const { root, gitDir, commonDir } = this;
    const runId = more.runId ?? "run-1";
    return {
      root,
      gitDir,
      commonDir,
      bead: "proj-1",
      runId,
      branch: runBranch(runId),
      base: this.head(),
      target: "main",
      copy: [],
      ...more,
    };
  }

  make(more: Partial<WorktreeSpec> = {}, git = this.calls): Promise<WorktreeOutcome> {
    const { withLock, over, reports } = this;
    const tools = { withLock, isOver: (id: string) => over.has(id), report: (line: string) => void reports.push(line) };
    return makeWorktree(git, this.spec(more), tools);
  }

  /** Makes one that must be ready, and gives its folder. */
  async made(more: Partial<WorktreeSpec> = {}): Promise<string> {
    const made = await this.make(more);
    if (made.kind !== "ready") throw new Error(`${made.message}\n${made.output}`);
    return made.folder;
  }

  /** Names in `.worktrees/` and the worktrees that git knows, without the main checkout. */
  get worktrees(): { folders: string[]; known: string[] } {
    const folder = join(this.root, ".worktrees");
    const listed = this.git("worktree", "list", "--porcelain", "-z").split("\0");
    const known = listed.filter((line) => line.startsWith("worktree ")).map((line) => line.slice("worktree ".length));
    return {
      folders: (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name !== ".gitignore").sort(),
      known: known.slice(1).sort(),
    };
  }
}

/** Git calls of a process that dies right after so many of them. */
function mortal(git: GitCalls, calls: number): GitCalls {
  let left = calls;
  const dying =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (left === 0) throw new Death();
      const result = await call(...args);
      left--;
      if (left === 0) throw new Death();
      return result;
    };
  return {
    plain: dying((...args: Parameters<GitCalls["plain"]>) => git.plain(...args)),
    guarded: dying((...args: Parameters<GitCalls["guarded"]>) => git.guarded(...args)),
  };
}

class Death extends Error {}

/** Lets `work` die after one git call, after two … and calls `check` each time, until it lives to its end. */
export async function dieEverywhere(
  git: () => GitCalls,
  work: (git: GitCalls) => Promise<unknown>,
  check: (calls: number) => Promise<void>,
): Promise<number> {
  for (let calls = 1; ; calls++) {
    let hasDied = false;
    await work(mortal(git(), calls)).catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
      hasDied = true;
    });
    await check(calls);
    if (!hasDied) return calls;
  }
}
