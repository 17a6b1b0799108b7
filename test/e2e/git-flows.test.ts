import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

/** A repository whose session is committed, as a team has it, and git with its exit code. */
class TrackedRepo extends Repo {
  id = "";

  static async make(): Promise<TrackedRepo> {
    const repo = new TrackedRepo();
    await repo.clew("init");
    repo.id = await repo.clew("session", "start", "Shared", "--agent", "coder@1");
    await repo.say("base");
    repo.git("add", "--all");
    repo.git("commit", "-q", "-m", "session");
    return repo;
  }

  async say(text: string): Promise<void> {
    await this.log(this.id, { kind: "text", text });
  }

  async texts(): Promise<string[]> {
    return textsOf(await this.show(this.id));
  }

  get file(): string {
    return `.clew/sessions/${this.id}/session.md`;
  }

  /** Whether git did what it was asked. */
  tries(...args: string[]): boolean {
    try {
      execFileSync("git", ["-C", this.root, ...args], { stdio: "ignore", env: { ...process.env, GIT_EDITOR: "true" } });
      return true;
    } catch {
      return false;
    }
  }

  /** One side of a file that git could not merge: what was logged here comes back by itself. */
  settle(): void {
    this.git("checkout", "-q", "--ours", "--", this.file);
    this.git("add", this.file);
  }
}

describe("S7 git over a session that goes on (docs/formats/session.md, In git)", () => {
  test.each([["looked"], ["logged"]])("S7 stash, %s, pop", async (did) => {
    using repo = await TrackedRepo.make();
    await repo.say("stashed");
    repo.git("stash", "-q");
    if (did === "logged") await repo.say("meanwhile");
    else await repo.clew("inbox");
    // Git refuses to write over a file that was changed; taking the change back loses nothing.
    if (!repo.tries("stash", "pop")) {
      repo.git("checkout", "-q", "--", ".clew/sessions");
      repo.git("stash", "pop", "-q");
    }
    expect(await repo.texts()).toEqual(["base", "stashed", ...(did === "logged" ? ["meanwhile"] : [])]);
    expect(repo.git("stash", "list")).toBe("");
  });

  test("S7 merging two branches on both of which it went on", async () => {
    using repo = await TrackedRepo.make();
    repo.git("checkout", "-q", "-b", "side");
    await repo.log(repo.id, { kind: "text", text: "on side" }, { kind: "tokens", tokens: 5 });
    repo.git("commit", "-q", "-a", "-m", "side");
    repo.git("checkout", "-q", "main");
    await repo.log(repo.id, { kind: "text", text: "on main" }, { kind: "tokens", tokens: 7 });
    repo.git("commit", "-q", "-a", "-m", "main");
    expect(repo.tries("merge", "side")).toBe(false);
    const { message, hint } = await repo.refused(["session", "log", "text", "no", "-s", repo.id]);
    expect([message, hint]).toEqual([
      expect.stringMatching(/line \d+: a merge conflict that git left$/),
      expect.stringContaining("git checkout --ours"),
    ]);
    expect((await repo.run(["doctor"])).stdout).toContain("a merge conflict that git left");
    repo.settle();
    repo.git("commit", "-q", "-m", "merged");
    expect(await repo.texts()).toEqual(["base", "on side", "tokens", "on main", "tokens"]);
    const { sessions } = await repo.json<{ sessions: { tokens_used: number }[] }>("session", "list");
    expect(sessions).toMatchObject([{ tokens_used: 12 }]);
  });

  test("S7 rebasing while it goes on", async () => {
    using repo = await TrackedRepo.make();
    await repo.say("on main");
    repo.git("commit", "-q", "-a", "-m", "main");
    repo.git("checkout", "-q", "-b", "feature", "HEAD~1");
    await repo.say("on feature");
    repo.git("commit", "-q", "-a", "-m", "feature");
    await repo.say("not committed");
    expect(repo.tries("rebase", "main")).toBe(false);
    repo.git("checkout", "-q", "--", ".clew/sessions");
    if (!repo.tries("rebase", "main")) {
      repo.settle();
      expect(repo.tries("rebase", "--continue") || repo.tries("rebase", "--skip")).toBe(true);
    }
    expect(await repo.texts()).toEqual(["base", "on main", "on feature", "not committed"]);
    expect(repo.git("status", "--short", "--branch")).toContain("## feature");
  });

  test("S7 T7 a session's folder is not ignored, whatever the repository ignores", async () => {
    using repo = await TrackedRepo.make();
    writeFileSync(join(repo.root, ".gitignore"), "*.log\n");
    const folder = join(repo.root, ".clew/sessions", repo.id);
    for (const path of ["01/_context.log", "01/plan.md", "02-branch-01/report.md", "breadcrumbs/0/1.json"]) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "x\n");
      expect([path, repo.tries("check-ignore", "-q", file)]).toEqual([path, false]);
    }
  });
});
