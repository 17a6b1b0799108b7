import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { JournalLine } from "../../src/contract/run-journal.ts";
import { moveOffsets } from "../../scripts/fixtures/move-offsets.mjs";
import { Repo } from "./repo.ts";
import { linesOf } from "./run-repo.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures");

/** A fresh repository with what an earlier version of the program left in one. */
export class FixtureRepo extends Repo {
  /** A folder below `test/fixtures`; `leaves` tells which of its files are not put there. */
  constructor(fixture: string, leaves: (path: string) => boolean = () => false) {
    super();
    const folder = join(fixtures, fixture);
    this.#takeCommits(readFileSync(join(folder, "git.export")));
    const moved = (text: string): string => text.replaceAll("/repo", this.root);
    const journals = journalsOf(fixture);
    for (const path of filesBelow(folder)) {
      const text = readFileSync(join(folder, path), "utf8");
      const isState = path.startsWith("home/state/");
      const file = leaves(path) ? undefined : this.#placeOf(path);
      if (file !== undefined) put(file, isState ? moveOffsets(moved(text), journals, moved) : moved(text));
    }
    if (!leaves("worktrees")) this.#makeWorktrees(join(folder, "worktrees"));
    // However old the fixture is.
    this.configure("idle_timeout: 0\n");
  }

  /** Lets the step of `proj-4` go to its end. */
  letGo(): void {
    writeFileSync(join(this.root, ".git/go"), "");
  }

  journal(runId: string): JournalLine[] {
    return linesOf(readFileSync(join(this.home, "logs/workflows", `${runId}.jsonl`), "utf8"));
  }

  #takeCommits(stream: Buffer): void {
    rmSync(join(this.root, ".git/refs/heads/main"), { force: true });
    execFileSync("git", ["-C", this.root, "fast-import", "--quiet", "--force"], { input: stream });
    this.git("reset", "-q", "--hard", "main");
  }

  #placeOf(path: string): string | undefined {
    const [first = "", ...rest] = path.split("/");
    const folder = { home: ".git/clew", sessions: ".clew/sessions", beads: ".beads" }[first];
    return folder === undefined ? undefined : join(this.root, folder, ...rest);
  }

  /** Git's own notes of a worktree hold paths of the machine, so git makes them anew. */
  #makeWorktrees(folder: string): void {
    for (const name of filesBelow(folder)) {
      const text = readFileSync(join(folder, name), "utf8");
      const { branch } = JSON.parse(text) as { branch: string };
      const worktree = name.slice(0, -".json".length);
      this.git("worktree", "add", "-q", join(this.root, ".worktrees", worktree), branch);
      writeFileSync(join(this.root, ".git/worktrees", worktree, "clew.json"), text);
    }
  }
}

/** The journals of a fixture as they stand there, by the run's id. */
export function journalsOf(fixture: string): Record<string, string> {
  const journals = join(fixtures, fixture, "home/logs/workflows");
  return Object.fromEntries(
    filesBelow(journals)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => [name.slice(0, -".jsonl".length), readFileSync(join(journals, name), "utf8")]),
  );
}

/** The folders of a kind of fixtures, oldest first. */
export function fixturesOf(kind: "journals" | "sessions"): string[] {
  return readdirSync(join(fixtures, kind))
    .sort((one, other) => parseInt(one) - parseInt(other))
    .map((name) => `${kind}/${name}`);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(folder.length + 1))
    .sort();
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
