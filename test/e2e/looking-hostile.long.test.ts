import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { forgetStarted, marker, plantHooks, plantPrograms, started, watchedRepo } from "../support/marker-programs.ts";
import type { MergeRepo } from "../support/merge-repo.ts";
import { removeFolder } from "../support/remove-folder.ts";

/** A filter as it stands in a file of git's. */
const filter = (repo: MergeRepo, name = "evil"): string =>
  `[filter "${name}"]\n\tclean = "${marker(repo, "clean")}"\n\trequired = true\n`;

/** Ways to write a filter into the repository's settings that a reader of them may miss. */
const hidden: Record<string, (repo: MergeRepo) => string | Buffer> = {
  "behind a comment that ends in a backslash": (repo) => `[x]\n# x \\\n${filter(repo)}`,
  "behind a value that ends in a backslash": (repo) => `[x]\ny = a\\\\\n${filter(repo)}`,
  "on the line of another heading": (repo) => `[x] y = z\n[a.b]${filter(repo)}`,
  "without a name": (repo) => filter(repo, ""),
  "in the six-hundredth file": (repo) => {
    writeFileSync(join(repo.root, ".git/last"), filter(repo));
    for (let each = 0; each < 600; each++) writeFileSync(join(repo.root, `.git/nothing-${each}`), "");
    const names = Array.from({ length: 600 }, (_, each) => `\tpath = nothing-${each}\n`).join("");
    return `[include]\n\tpath = last\n${names}`;
  },
  "in a file of a user's home": (repo) => {
    const file = join(repo.root, ".git/more.config");
    writeFileSync(file, filter(repo));
    const { username, homedir } = userInfo();
    return `[include]\n\tpath = "~${username}/${relative(homedir, file)}"\n`;
  },
  "under a condition": (repo) => {
    writeFileSync(join(repo.root, ".git/more.config"), filter(repo));
    return `[includeIf "onbranch:clew/**"]\n\tpath = more.config\n`;
  },
  "by a name that is no text": (repo) => Buffer.from(filter(repo, "\u00ff"), "latin1"),
};

/** Work of a run that fails, so that what it changed is looked for in its worktree. */
const failing = "echo new > new.txt && false";

/** These let git compare files. */
const comparing = [["run", "diff", "proj-1"], ["worktree", "list"], ["doctor"]];

describe("G11 merely looking", () => {
  test.each(Object.keys(hidden))("starts no filter that stands %s", async (where) => {
    using repo = await watchedRepo("evil", failing);
    const name = where === "without a name" ? "" : where === "by a name that is no text" ? "\u00ff" : "evil";
    writeFileSync(join(repo.root, ".git/info/attributes"), Buffer.from(`* filter=${name}\n`, "latin1"));
    appendFileSync(join(repo.root, ".git/config"), hidden[where]!(repo));
    for (const args of comparing) {
      await repo.run(args);
      expect([args, started(repo)]).toEqual([args, ""]);
    }
    // Where git cannot be told to leave a filter out, it is not asked.
    const { code, stdout, stderr } = await repo.run(["run", "diff", "proj-1"]);
    const [exit, words] = where === "by a name that is no text" ? [2, "no text"] : [0, "+kepT"];
    expect([code, stdout + stderr]).toEqual([exit, expect.stringContaining(words)]);
    repo.at(repo.worktree, "status");
    expect(started(repo)).toContain("clean");
  });

  test.each(["of a clone", "that stands in the checkout", "in a submodule"])(
    "starts nothing that a submodule %s names, and sees what changed in it",
    async (kind) => {
      using repo = await watchedRepo("none", failing);
      using other = new Source();
      const add = (folder: string): void => {
        execFileSync("git", [
          "-C",
          folder,
          "-c",
          "protocol.file.allow=always",
          "submodule",
          "add",
          "-q",
          other.root,
          "sub",
        ]);
      };
      add(repo.worktree);
      let module = join(repo.worktree, "sub");
      if (kind === "in a submodule") {
        add(module);
        repo.at(module, ...author, "commit", "-q", "-m", "inner");
        module = join(module, "sub");
      }
      if (kind === "that stands in the checkout") {
        const gitDir = repo.at(module, "rev-parse", "--absolute-git-dir").trim();
        rmSync(join(module, ".git"));
        renameSync(gitDir, join(module, ".git"));
        execFileSync("git", ["config", "--file", join(module, ".git/config"), "core.worktree", module]);
      }
      repo.at(repo.worktree, "add", "--all");
      repo.at(repo.worktree, ...author, "commit", "-q", "-m", "outer");
      const gitDir = repo.at(module, "rev-parse", "--absolute-git-dir").trim();
      mkdirSync(join(gitDir, "info"), { recursive: true });
      writeFileSync(join(gitDir, "info/attributes"), "* filter=inner diff=evil\n");
      repo.put("inner.txt", "other\n", module);
      plantHooks(repo, gitDir);
      plantPrograms(repo, join(gitDir, "config"), "inner");
      plantPrograms(repo, join(repo.root, ".git/config"));
      forgetStarted(repo);
      for (const args of comparing) {
        await repo.run(args);
        expect([args, started(repo)]).toEqual([args, ""]);
      }
      const isDirty = async (): Promise<unknown> =>
        (await repo.json<{ worktrees: { dirty: boolean }[] }>("worktree", "list")).worktrees[0]!.dirty;
      expect(await isDirty()).toBe(true);
      expect(started(repo)).toBe("");
      repo.put("inner.txt", "inner\n", module);
      expect(await isDirty()).toBe(false);
      repo.put("inner.txt", "other\n", module);
      repo.at(module, "status");
      expect(started(repo)).toContain("clean-inner");
    },
  );

  test("is refused at once where a pipe stands in place of the settings", async () => {
    using repo = await watchedRepo("none");
    rmSync(join(repo.root, ".git/config"));
    execFileSync("mkfifo", [join(repo.root, ".git/config")]);
    for (const args of [["session", "list"], ...comparing]) {
      const { code, stderr } = await repo.run(args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining("is a pipe, not a file")]);
    }
  });
});

const author = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "commit.gpgSign=false"];

/** A repository to be a submodule. */
class Source {
  readonly root = mkdtempSync(join(tmpdir(), "clew-source-"));

  constructor() {
    const git = (...args: string[]): Buffer => execFileSync("git", ["-C", this.root, ...author, ...args]);
    git("init", "-q");
    writeFileSync(join(this.root, "inner.txt"), "inner\n");
    git("add", "--all");
    git("commit", "-q", "-m", "inner");
  }

  [Symbol.dispose](): void {
    removeFolder(this.root);
  }
}
