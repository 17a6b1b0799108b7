import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClewError } from "../../../../contract/errors.ts";

/** Throws while somebody's git works in a checkout: its locks are its own. Only Linux tells who works where. */
export function refuseGitAtWork(folder: string): void {
  const realFolder = realpathSync(folder);
  const pid = gitPids().find((each) => isWithin(realFolder, cwdOf(each)));
  if (pid === undefined) return;
  throw new ClewError(
    "not_possible_now",
    `git is at work in ${folder} (process ${pid})`,
    "wait until it is done, or finish what it asks for, then try again",
  );
}

/** Not in a checkout of its own below, such as a run's worktree or a submodule. */
function isWithin(realFolder: string, cwd: string | undefined): boolean {
  if (cwd !== realFolder && !cwd?.startsWith(`${realFolder}/`)) return false;
  for (let folder = cwd; folder !== realFolder; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return false;
  }
  return true;
}

function gitPids(): number[] {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => pid !== process.pid && commandName(pid) === "git");
  } catch {
    return [];
  }
}

function commandName(pid: number): string | undefined {
  try {
    return readFileSync(join("/proc", String(pid), "comm"), "utf8").trim();
  } catch {
    return undefined;
  }
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(join("/proc", String(pid), "cwd"));
  } catch {
    return undefined;
  }
}
