import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClewError } from "../../../../contract/errors.ts";
import { attempt } from "../../../../text/attempt.ts";

/** Throws while a git of the user works in a checkout: its locks must stay. Only Linux tells which process works where. */
export function refuseGitAtWork(folder: string): void {
  const realFolder = realpathSync(folder);
  const pid = gitPids().find((each) =>
    isWithin(
      realFolder,
      readProcess(each, "cwd", (link) => readlinkSync(link)),
    ),
  );
  if (pid === undefined) return;
  throw new ClewError(
    "not_possible_now",
    `git is at work in ${folder} (process ${pid})`,
    "wait until it is done, or finish what it asks for, then try again",
  );
}

/** Whether a process works in this checkout, not in one below it, such as a run's worktree or a submodule. */
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
    const nameOf = (pid: number): string | undefined => readProcess(pid, "comm", (file) => readFileSync(file, "utf8"));
    return pids.map(Number).filter((pid) => pid !== process.pid && nameOf(pid)?.trim() === "git");
  } catch {
    return [];
  }
}

/** Undefined for a process that has ended, or that is another user's. */
function readProcess(pid: number, name: string, read: (file: string) => string): string | undefined {
  return attempt(() => read(join("/proc", String(pid), name)), undefined);
}
