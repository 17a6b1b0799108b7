import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readNote } from "./note-file.ts";
import { GitRepo } from "./worktrees.fixture.ts";

describe("G11 files that a worktree gets from the main checkout", () => {
  test("G11 with mode, links and folders; the list of them is kept", async () => {
    using repo = new GitRepo();
    repo.write("bin/tool", "#!/bin/sh\n", 0o755);
    repo.write(".env", "A=1\n", 0o600);
    symlinkSync("bin/tool", join(repo.root, "tool"));
    const made = await repo.make({ copy: ["bin", ".env", "tool", "missing"] });
    const copied = ["bin/tool", ".env", "tool"];
    expect(made).toMatchObject({ kind: "ready", copied });
    const folder = join(repo.root, ".worktrees/proj-1");
    expect(readNote(join(repo.commonDir, "worktrees/proj-1"))?.copied).toEqual(copied);
    expect(lstatSync(join(folder, "bin/tool")).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
    expect(readlinkSync(join(folder, "tool"))).toBe("bin/tool");
    expect(repo.reports).toEqual(["there is no missing to copy"]);
  });

  test("G11 what git tracks comes from git", async () => {
    using repo = new GitRepo();
    repo.write("file", "changed and not committed\n");
    repo.write("other", "not tracked\n");
    expect(await repo.make({ copy: ["*"] })).toMatchObject({ copied: ["other"] });
    expect(repo.read(repo.root, ".worktrees/proj-1/file")).toBe("one\n");
    expect(repo.reports).toEqual(["1 of the files to copy are tracked: they come from git"]);
  });

  test("G11 nothing is written through a link of the worktree, nor into a submodule", async () => {
    using repo = new GitRepo();
    repo.addSubmodule();
    const outside = join(repo.root, "..", "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(repo.root, "config"));
    const base = repo.commit("config is a link");
    repo.git("rm", "-q", "--cached", "config");
    rmSync(join(repo.root, "config"));
    repo.write("config/local", "x");
    repo.write("sub/untracked", "x");
    expect(await repo.make({ base, copy: ["config", "sub"] })).toMatchObject({ kind: "ready" });
    expect(existsSync(join(outside, "local"))).toBe(false);
    expect(existsSync(join(repo.root, ".worktrees/proj-1/sub/untracked"))).toBe(false);
    expect(repo.reports).toContain("config/local was not copied: git has something else there");
  });

  test("G11 that there was nothing to copy is told", async () => {
    using repo = new GitRepo();
    expect(await repo.make({ copy: ["missing", "file"] })).toMatchObject({ copied: [], isNew: true });
    expect(repo.reports).toEqual([
      "there is no missing to copy",
      "1 of the files to copy are tracked: they come from git",
    ]);
  });

  test("G11 too many bytes are refused, and named", async () => {
    using repo = new GitRepo();
    writeFileSync(join(repo.root, "huge"), "");
    truncateSync(join(repo.root, "huge"), 1024 ** 3 + 1);
    const copy = ["huge"];
    expect(await repo.make({ copy })).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("1 GiB") as string,
    });
    truncateSync(join(repo.root, "huge"), 1);
    expect(await repo.make({ copy })).toMatchObject({ kind: "ready", isNew: true, copied: copy });
  });

  test("G11 many files are told on the way", async () => {
    using repo = new GitRepo();
    for (let n = 0; n < 2001; n++) repo.write(`many/${n}`, "");
    expect((await repo.make({ copy: ["many"] })) as { copied: string[] }).toHaveProperty("copied.length", 2001);
    expect(repo.reports).toEqual(["copied 1000 of 2001 files", "copied 2000 of 2001 files"]);
  });
});
