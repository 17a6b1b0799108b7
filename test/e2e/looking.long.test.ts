import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  filterSettings,
  forgetStarted,
  looks,
  marker,
  plantHooks,
  plantPrograms,
  started,
  watchedRepo,
} from "../support/marker-programs.ts";

describe("G11 merely looking", () => {
  test.each(["local", "worktree", "included"])(
    "starts no program that the repository's %s settings name",
    async (scope) => {
      using repo = await watchedRepo("evil");
      plantHooks(repo, join(repo.root, ".git"));
      if (scope === "worktree") repo.git("config", "extensions.worktreeConfig", "true");
      const files = { local: ["config"], worktree: ["config.worktree", "worktrees/proj-1/config.worktree"] };
      for (const file of files[scope as keyof typeof files] ?? ["more.config"]) {
        plantPrograms(repo, join(repo.root, ".git", file));
      }
      if (scope === "included") repo.git("config", "include.path", "more.config");
      forgetStarted(repo);
      for (const args of looks) {
        await repo.run(args);
        expect([args, started(repo)]).toEqual([args, ""]);
      }
      repo.at(repo.worktree, "status");
      expect(started(repo)).toContain("fsmonitor");
      repo.at(repo.worktree, "-c", "core.fsmonitor=false", "status");
      expect(started(repo)).toContain("clean-evil");
    },
  );

  test("lets the filters of the user's own settings work, also where the repository sets them, too", async () => {
    using repo = await watchedRepo("own");
    const home = join(repo.root, ".git/home");
    mkdirSync(home);
    for (const [key, value] of filterSettings((kind) => marker(repo, kind), "own")) {
      execFileSync("git", ["config", "--file", join(home, ".gitconfig"), key, value]);
    }
    const look = (): Promise<unknown> => repo.run(["run", "diff", "proj-1"], { env: { HOME: home } });
    await repo.run(["worktree", "list"], { env: { HOME: home } });
    await look();
    expect(started(repo)).toContain("clean-own");
    repo.git("config", "filter.own.clean", marker(repo, "local"));
    forgetStarted(repo);
    await repo.run(["worktree", "list"], { env: { HOME: home } });
    await look();
    expect(started(repo)).toContain("clean-own");
    expect(started(repo)).not.toContain("local");
  });

  test("fetches nothing into a partial clone", async () => {
    using repo = await watchedRepo("none");
    repo.git("config", "remote.origin.url", `file://${repo.root}/.git/nowhere`);
    repo.git("config", "remote.origin.promisor", "true");
    repo.git("config", "extensions.partialClone", "origin");
    repo.git("config", "remote.origin.uploadpack", `${marker(repo, "uploadpack")} < /dev/null; false`);
    const blob = repo.git("rev-parse", "HEAD:kept.txt").trim();
    rmSync(join(repo.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    for (const args of looks) await repo.run(args);
    expect(started(repo)).toBe("");
    expect(() => repo.git("cat-file", "blob", blob)).toThrow("cat-file");
    expect(started(repo)).toContain("uploadpack");
  });
});
