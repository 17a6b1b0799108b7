import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../../contract/errors.ts";

/** Throws while somebody's git works in a checkout: its locks are its own. Only Linux tells who works where. */
export function refuseGitAtWork(folder: string): void {
  const place = realpathSync(folder);
  const pid = gits().find((each) => {
    const cwd = cwdOf(each);
    return cwd === place || cwd?.startsWith(`${place}/`);
  });
  if (pid === undefined) return;
  throw new ClewError(
    "not_possible_now",
    `git is at work in ${folder} (process ${pid})`,
    "wait until it is done, or finish what it asks for, then try again",
  );
}

function gits(): number[] {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => pid !== process.pid && nameOf(pid) === "git");
  } catch {
    return [];
  }
}

function nameOf(pid: number): string | undefined {
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
