import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";

/** A program that tells that it was started, and passes on what it gets, so that git is content with it; for a shell. */
function marker(repo: MergeRepo, name: string): string {
  const file = join(repo.root, ".git", `marker-${name}.sh`);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${join(repo.root, ".git/started")}"\ncat 2>/dev/null\n`);
  chmodSync(file, 0o755);
  return `'${file}'`;
}

const started = (repo: MergeRepo): string => {
  const file = join(repo.root, ".git/started");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

/** Every setting that names a program which git might start, with the kind of program as the marker's name. */
const settings = (program: (kind: string) => string): [string, string][] => [
  ["core.fsmonitor", program("fsmonitor")],
  ["core.pager", program("pager")],
  ["pager.diff", program("pager")],
  ["pager.log", program("pager")],
  ["core.editor", program("editor")],
  ["core.askPass", program("askpass")],
  ["core.sshCommand", program("ssh")],
  ["core.hooksPath", ".git/evil-hooks"],
  ["core.alternateRefsCommand", program("alternates")],
  ["credential.helper", `!${program("credential")}`],
  ["gpg.program", program("gpg").slice(1, -1)],
  ["log.showSignature", "true"],
  ["diff.external", program("external")],
  ["diff.evil.textconv", program("textconv")],
  ["diff.evil.command", program("command")],
  ["merge.evil.driver", program("driver")],
  ["interactive.diffFilter", program("interactive")],
  ["alias.status", `!${program("alias")}`],
  ["alias.diff", `!${program("alias")}`],
  ["remote.origin.url", "ext::sh -c true"],
  ["remote.origin.promisor", "true"],
  ["remote.origin.uploadpack", program("uploadpack")],
  ["status.submoduleSummary", "true"],
];

const filters = (program: (kind: string) => string, name: string): [string, string][] => [
  [`filter.${name}.clean`, program(`clean-${name}`)],
  [`filter.${name}.smudge`, program(`smudge-${name}`)],
  [`filter.${name}.required`, "true"],
];

const looks: string[][] = [
  ["session", "list"],
  ["session", "show", "latest"],
  ["session", "search", "x"],
  ["search", "x"],
  ["inbox"],
  ["doctor"],
  ["run", "list"],
  ["run", "show", "proj-1"],
  ["run", "log", "proj-1"],
  ["run", "diff", "proj-1"],
  ["run", "diff", "proj-1", "--stat"],
  ["worktree", "list"],
  ["grimoire", "list"],
  ["grimoire", "preview", "flow", "--bead", "proj-1"],
  ["config", "show"],
  ["bead", "list"],
  ["bead", "ready"],
  ["bead", "show", "proj-1"],
  ["index", "check"],
  ["complete", "--", "session", "show", ""],
];

/** A run that waits for approval, with changes in its worktree that git must compare, and attributes for everything. */
async function prepared(name: string): Promise<MergeRepo> {
  const repo = new MergeRepo("echo new > new.txt");
  await repo.run(["run", "proj-1"]);
  mkdirSync(join(repo.root, ".git/info"), { recursive: true });
  writeFileSync(join(repo.root, ".git/info/attributes"), `* filter=${name} diff=evil merge=evil\n`);
  repo.put("kept.txt", "kept\nand changed\n", repo.worktree);
  rmSync(join(repo.root, ".git/started"), { force: true });
  return repo;
}

describe("G11 merely looking", () => {
  test.each(["local", "worktree", "included"])(
    "starts no program that the repository's %s settings name",
    async (scope) => {
      using repo = await prepared("evil");
      const program = (kind: string): string => marker(repo, kind);
      const hooks = join(repo.root, ".git/evil-hooks");
      mkdirSync(hooks, { recursive: true });
      const names = "post-index-change reference-transaction post-checkout pre-commit post-commit fsmonitor-watchman";
      for (const hook of names.split(" ")) {
        for (const folder of [hooks, join(repo.root, ".git/hooks")]) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(join(folder, hook), `#!/bin/sh\necho hook-${hook} >> "${repo.root}/.git/started"\n`, {
            mode: 0o755,
          });
        }
      }
      if (scope === "worktree") repo.git("config", "extensions.worktreeConfig", "true");
      const included = join(repo.root, ".git/more.config");
      const where = { local: ["--local"], worktree: ["--worktree"], included: ["--file", included] }[scope]!;
      for (const folder of scope === "worktree" ? [repo.root, repo.worktree] : [repo.root]) {
        for (const [key, value] of [...settings(program), ...filters(program, "evil")]) {
          execFileSync("git", ["-C", folder, "config", ...where, key, value]);
        }
      }
      if (scope === "included") repo.git("config", "include.path", "more.config");
      rmSync(join(repo.root, ".git/started"), { force: true });
      for (const args of looks) {
        await repo.run(args);
        expect([args, started(repo)]).toEqual([args, ""]);
      }
    },
  );

  test("lets the filters of the user's own settings work, also where the repository sets them, too", async () => {
    using repo = await prepared("own");
    const home = join(repo.root, ".git/home");
    mkdirSync(home);
    for (const [key, value] of filters((kind) => marker(repo, kind), "own")) {
      execFileSync("git", ["config", "--file", join(home, ".gitconfig"), key, value]);
    }
    const look = (): Promise<unknown> => repo.run(["run", "diff", "proj-1"], { env: { HOME: home } });
    await repo.run(["worktree", "list"], { env: { HOME: home } });
    await look();
    expect(started(repo)).toContain("clean-own");
    repo.git("config", "filter.own.clean", marker(repo, "local"));
    rmSync(join(repo.root, ".git/started"), { force: true });
    await repo.run(["worktree", "list"], { env: { HOME: home } });
    await look();
    expect(started(repo)).toContain("clean-own");
    expect(started(repo)).not.toContain("local");
  });

  test("fetches nothing into a partial clone", async () => {
    using repo = await prepared("none");
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
