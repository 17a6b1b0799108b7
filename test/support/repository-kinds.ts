import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, put } from "./folders.ts";

/** A repository of some kind, and how Clew is called in it. */
export interface Place {
  /** Where the target is checked out. */
  checkout: string;
  /** Where Clew is called, when that is another folder. */
  cwd?: string;
  /** What the shell around Clew says. */
  env?: Record<string, string>;
}

/** Makes each kind of repository in an empty folder. */
export const kinds: Record<string, (base: string) => Place> = {
  "a linked worktree of a plain repository": (base) => {
    const checkout = seeded(join(base, "plain"));
    git(checkout, "worktree", "add", "-q", "-b", "side", join(base, "side"));
    return { checkout, cwd: join(base, "side") };
  },
  "a path through a link, a branch with slashes, and packed refs": (base) => {
    const checkout = seeded(join(base, "work"));
    git(checkout, "switch", "-q", "-c", "team/feature/one");
    git(checkout, "pack-refs", "--all");
    symlinkSync(base, join(base, "link"));
    return { checkout, cwd: join(base, "link/work/src") };
  },
  "a bare repository, in one of its worktrees": (base) => bareWithWorktree(base, "store.git"),
  "a bare repository in .git, in one of its worktrees": (base) => bareWithWorktree(base, ".git"),
  "a submodule": (base) => ({ checkout: withSubmodule(join(base, "outer"), seeded(join(base, "inner"))) }),
  "a submodule in a submodule": (base) => {
    withSubmodule(join(base, "middle"), seeded(join(base, "inner")));
    const middle = withSubmodule(join(base, "outer"), join(base, "middle"));
    git(middle, ...allowFiles, "submodule", "--quiet", "update", "--init");
    git(join(middle, "part"), "switch", "-q", "main");
    return { checkout: join(middle, "part") };
  },
  "a git folder elsewhere": (base) => gitFolderElsewhere(base),
  "a link in place of .git": (base) => {
    const checkout = seeded(join(base, "work"));
    mkdirSync(join(base, "store"));
    renameSync(join(checkout, ".git"), join(base, "store/.git"));
    symlinkSync("../store/.git", join(checkout, ".git"));
    return { checkout };
  },
  "core.worktree, in a linked worktree": (base) => {
    const { checkout } = gitFolderElsewhere(base);
    git(checkout, "config", "core.worktree", "../work");
    git(checkout, "worktree", "add", "-q", "-b", "side", join(base, "side"));
    return { checkout, cwd: join(base, "side") };
  },
  "another repository in the environment": (base) => {
    const checkout = seeded(join(base, "work"));
    const other = seeded(join(base, "other"));
    const hook = '#!/bin/sh\ntest "$(git rev-parse --show-toplevel)" = "$PWD" && git add --all\n';
    writeFileSync(join(checkout, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
    const [GIT_DIR, GIT_INDEX_FILE] = [join(other, ".git"), join(other, ".git/index")];
    return { checkout, env: { GIT_DIR, GIT_WORK_TREE: other, GIT_INDEX_FILE, GIT_PREFIX: "src/" } };
  },
  "a sparse checkout": (base) => ({ checkout: sparse(seeded(join(base, "work"))) }),
  "a sparse checkout of a submodule": (base) => ({
    checkout: sparse(withSubmodule(join(base, "outer"), seeded(join(base, "inner")))),
  }),
  "a shallow clone": (base) => {
    git(base, "clone", "-q", "--depth=1", `file://${seeded(join(base, "origin"))}`, join(base, "work"));
    return { checkout: join(base, "work") };
  },
  "a partial clone": (base) => {
    const origin = seeded(join(base, "origin"));
    git(origin, "config", "uploadpack.allowFilter", "true");
    git(base, "clone", "-q", "--filter=blob:none", `file://${origin}`, join(base, "work"));
    return { checkout: join(base, "work") };
  },
  "names of 256 bits": (base) => ({ checkout: seeded(join(base, "work"), "--object-format=sha256") }),
};

/** A repository with two commits, and a grimoire that ends in a merge. Setup and steps stop when git looks elsewhere. */
export function seeded(folder: string, ...options: string[]): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main", ...options);
  put(folder, "shared.txt", "one\ntwo\nthree\n");
  put(folder, "src/kept.txt", "kept\n");
  put(folder, "docs/kept.txt", "kept\n");
  git(folder, "add", "--all");
  git(folder, "commit", "-q", "-m", "first");
  const isHere = 'test "$(git rev-parse --show-toplevel)" = "$PWD"';
  const command = `${isHere} && echo new > src/new.txt && echo four >> shared.txt && git add src/new.txt`;
  const steps = [
    { name: "work", type: "script", command },
    { name: "merge", type: "merge" },
  ];
  const lines = steps.map((step) => `  - ${JSON.stringify(step)}\n`).join("");
  put(folder, ".clew/grimoires/flow.yaml", `name: flow\ndescription: For a test.\nsteps:\n${lines}`);
  const worktree = JSON.stringify({ setup: isHere });
  put(folder, ".clew/config.yaml", `default_grimoire: flow\nengine: scripted\nworktree: ${worktree}\n`);
  git(folder, "add", "--all");
  git(folder, "commit", "-q", "-m", "second");
  return folder;
}

/** A checkout at `work` whose git folder is `store/work.git`; git notes nowhere which checkout belongs to it. */
export function gitFolderElsewhere(base: string): Place {
  const checkout = seeded(join(base, "work"));
  git(checkout, "init", "-q", `--separate-git-dir=${join(base, "work.git")}`);
  return { checkout };
}

/** A bare repository of this name, with the worktree `work` beside it. */
export function bareWithWorktree(base: string, name: string): Place {
  git(base, "clone", "-q", "--bare", seeded(join(base, "origin")), join(base, "project", name));
  git(join(base, "project", name), "worktree", "add", "-q", "-b", "work", join(base, "project/work"));
  return { checkout: join(base, "project/work") };
}

/** A repository at `folder` with `inner` as its submodule `part`; gives the checkout of that. */
function withSubmodule(folder: string, inner: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  git(folder, ...allowFiles, "submodule", "--quiet", "add", inner, "part");
  git(folder, "commit", "-q", "-m", "with a part");
  return join(folder, "part");
}

const allowFiles = ["-c", "protocol.file.allow=always"];

function sparse(checkout: string): string {
  git(checkout, "sparse-checkout", "set", "src", ".clew");
  return checkout;
}
