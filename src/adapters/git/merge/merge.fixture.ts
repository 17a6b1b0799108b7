import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { MergeOffer } from "../../../contract/merge-offer.ts";
import { gitCalls, type GitCalls } from "../git-calls.ts";
import { landMerge } from "./landing/land-merge.ts";
import { mendLanding } from "./landing/mend.ts";
import { prepareMerge } from "./offer/prepare-offer.ts";
import { landingOf, type LandingResult, type MergePlace, type PreparedMerge } from "./types.ts";

/** All that a person has in a checkout: files with their modes, what is staged, and what git says of it. */
export interface Work {
  files: Record<string, string>;
  staged: string;
  status: string[];
}

interface Start {
  target?: string;
  /** What the first commit holds. */
  files?: Record<string, string>;
}

/** A throw-away repository with `main` checked out and a run's worktree beside it. `using` removes it. */
export class MergeRepo {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "clew merge ")));
  readonly main = join(this.base, "main");
  readonly worktree = join(this.base, "work tree");
  readonly env: Record<string, string>;
  readonly git: GitCalls;
  /** Guarded programs that were started, in order. */
  readonly started: number[] = [];
  onStarted: (pid: number) => void = () => undefined;
  place: MergePlace;

  constructor({ target = "main", files = { "a.txt": "1\n2\n3\n" } }: Start = {}) {
    const { PATH = "" } = process.env;
    const home = join(this.base, "home");
    this.env = { PATH, HOME: home, GIT_CONFIG_GLOBAL: join(home, ".gitconfig"), GIT_CONFIG_NOSYSTEM: "1" };
    mkdirSync(home);
    mkdirSync(this.main);
    let marks = 0;
    this.git = gitCalls({
      env: this.env,
      signal: new AbortController().signal,
      newMark: () => `merge-test-${process.pid}-${++marks}`,
      onProcess: ({ pid }) => {
        this.started.push(pid);
        this.onStarted(pid);
      },
      onOutput: () => undefined,
    });
    this.inMain("init", "-q", "-b", target);
    this.inMain("config", "--global", "user.name", "Someone");
    this.inMain("config", "--global", "user.email", "someone@example.com");
    this.write(this.main, files);
    this.commit(this.main, "first", "--allow-empty");
    const branch = "clew/2026-11-16-p-1";
    this.inMain("worktree", "add", "-q", "-b", branch, this.worktree);
    const commonDir = join(this.main, ".git");
    const base = this.head("HEAD");
    const runId = "2026-11-16-p-1";
    this.place = { worktree: this.worktree, branch, base, target, root: this.main, commonDir, copied: [], runId };
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  at(folder: string, ...args: string[]): string {
    const printed = execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return printed.replace(/\n$/, "");
  }

  inMain(...args: string[]): string {
    return this.at(this.main, ...args);
  }

  inWorktree(...args: string[]): string {
    return this.at(this.worktree, ...args);
  }

  write(folder: string, files: Record<string, string | Buffer>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  }

  commit(folder: string, message: string, ...options: string[]): string {
    this.at(folder, "add", "-A");
    this.at(folder, "commit", "-q", "-m", message, ...options);
    return this.at(folder, "rev-parse", "HEAD");
  }

  hook(name: string, script: string): void {
    const file = join(this.place.commonDir, "hooks", name);
    this.write(this.place.commonDir, { [`hooks/${name}`]: `#!/bin/sh\n${script}\n` });
    chmodSync(file, 0o755);
  }

  head(ref: string): string {
    return this.inMain("rev-parse", ref);
  }

  prepare(): Promise<PreparedMerge> {
    return prepareMerge(this.git, this.place, {
      strategy: "merge",
      commit: "what the steps left",
      merge: "Merge p-1: a title",
    });
  }

  /** Prepares what has to be a clean merge. */
  async offer(): Promise<MergeOffer> {
    const prepared = await this.prepare();
    if (prepared.kind !== "offer") throw new Error(`no offer: ${JSON.stringify(prepared)}`);
    return prepared.offer;
  }

  /** Tells also how often `onLanding` was called, and where the target was then. */
  async land(offer: MergeOffer, begun = false): Promise<LandingResult & { announced: string[] }> {
    const announced: string[] = [];
    const onLanding = async (): Promise<void> => {
      announced.push(this.head(`refs/heads/${this.place.target}`));
      await Promise.resolve();
    };
    if (begun) await mendLanding(this.git, this.place, landingOf(offer));
    return { ...(await landMerge(this.git, this.place, offer, { onLanding })), announced };
  }

  work(folder = this.main): Work {
    return {
      files: filesBelow(folder),
      staged: this.at(folder, "diff", "--cached", "--binary", "--no-ext-diff"),
      status: this.at(folder, "status", "--porcelain=v1", "--ignored", "-uall").split("\n").filter(Boolean),
    };
  }
}

/** Every file but git's own, with its kind, whether it can be run, and its bytes. */
function filesBelow(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (name.split("/").includes(".git")) continue;
    const stats = lstatSync(join(folder, name));
    if (stats.isSymbolicLink()) found[name] = `link ${readlinkSync(join(folder, name))}`;
    else if (stats.isFile()) {
      const kind = (stats.mode & 0o100) === 0 ? "file" : "program";
      found[name] = `${kind} ${readFileSync(join(folder, name)).toString("latin1")}`;
    }
  }
  return found;
}
