import { accessSync, constants, lstatSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Check, CheckResult } from "../../app/doctor/examine.ts";
import { ClewError } from "../../contract/errors.ts";
import { parseLive, type Live } from "../../session/write-ahead-copy.ts";
import { isSessionId } from "../../session/session-id.ts";
import type { Disk } from "../files/disk.ts";
import { isMissing } from "../files/failure.ts";
import { breadcrumbPaths } from "../layout/session-paths.ts";
import { foldersOfReplaced, idOfCopy, paths, replacement, type Layout } from "../layout.ts";
import { limits } from "../files/limits.ts";
import type { Locks } from "../files/lock.ts";
import { isRunning } from "./is-running.ts";
import { makeClewFolder } from "../files/clew-folder.ts";
import { excludeOwnFiles, excludePath, hidesOwnFiles } from "../git/exclude.ts";
import type { Git } from "../git/git.ts";

interface Parts {
  disk: Disk;
  layout: Layout;
  git: Git;
  locks: () => Promise<Locks>;
  commonDir: string;
}

/** Checks the machine and the files of the repository. */
export function systemChecks({ disk, layout, git, locks, commonDir }: Parts): Check[] {
  return [
    { name: "node", look: () => [nodeVersion(process.versions.node)] },
    { name: "git", look: () => [gitVersion(git.version())] },
    { name: "folders", look: () => folders(disk, layout) },
    {
      name: "locks",
      look: async () => {
        await (await locks()).with("doctor", () => undefined);
        return [{ status: "ok", message: "taken and released" }];
      },
    },
    { name: "write-ahead copies", look: () => copies(disk, layout) },
    { name: "hidden files", look: () => [hiddenFiles(disk, layout, commonDir)] },
    { name: "left-over files", look: () => leftOvers(disk, layout) },
  ];
}

function nodeVersion(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major > 20 || (major === 20 && minor >= 19);
  if (isSupported) return { status: "ok", message: version };
  return { status: "problem", message: `${version} is too old`, hint: "install Node 20.19 or later" };
}

function gitVersion(version: string | undefined): CheckResult {
  if (version !== undefined) return { status: "ok", message: version };
  return { status: "problem", message: "git does not run", hint: "install git and put it on the PATH" };
}

function folders(disk: Disk, layout: Layout): CheckResult[] {
  for (const folder of [layout.sessions, layout.home]) {
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      if (isMissing(error)) {
        const repair = (): string => `made ${makeClewFolder(disk, layout).join(", ") || folder}`;
        return [{ status: "warning", message: `${folder} is missing`, repair }];
      }
      return [{ status: "problem", message: `no rights on ${folder}`, hint: `ls -ld ${folder} shows who has them` }];
    }
  }
  return [{ status: "ok", message: layout.sessions }];
}

/** The copies have all acknowledged entries until session.md is committed. */
function copies(disk: Disk, layout: Layout): CheckResult[] {
  const outcomes: CheckResult[] = [];
  const names = disk.list(paths.liveFolder(layout)).filter((name) => idOfCopy(name) !== undefined);
  for (const name of names) {
    const path = join(paths.liveFolder(layout), name);
    const live = readCopy(disk, path);
    if (live instanceof ClewError) {
      outcomes.push({ status: "problem", message: live.message, hint: live.hint });
      continue;
    }
    if (live.torn)
      outcomes.push({ status: "warning", message: `${path} ends in a torn line; the next entry closes it` });
    if (live.unreadable.length > 0) {
      outcomes.push({
        status: "problem",
        message: `${path}: line ${live.unreadable.join(", ")} cannot be read`,
        hint: "what stands in session.md is not affected; the line is passed over",
      });
    }
  }
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `${names.length} in order` }];
}

/** One copy that cannot be read does not hide the others. */
function readCopy(disk: Disk, path: string): Live | ClewError {
  try {
    return parseLive(disk.read(path, limits.copy)?.toString("utf8") ?? "");
  } catch (error) {
    if (error instanceof ClewError) return error;
    throw error;
  }
}

/** Git must not show files that only this machine needs. */
function hiddenFiles(disk: Disk, layout: Layout, commonDir: string): CheckResult {
  if (hidesOwnFiles(disk, commonDir) || !disk.stamp(layout.home))
    return { status: "ok", message: "git shows none of this machine's" };
  const repair = (): string => {
    excludeOwnFiles(disk, commonDir);
    return `hidden from git by ${excludePath(commonDir)}`;
  };
  return { status: "warning", message: "git may show what only this machine needs, such as .worktrees", repair };
}

/** A crash between two writes leaves files that are never read again. */
function leftOvers(disk: Disk, layout: Layout): CheckResult[] {
  const outcomes = foldersOfReplaced(layout).flatMap((folder) => leftoverTempFiles(disk, folder));
  for (const id of disk.list(layout.sessions)) {
    const folder = paths.session(layout, id);
    const names = isSessionId(id) ? disk.list(folder) : [];
    if (isSessionId(id)) outcomes.push(...leftoverTempFiles(disk, folder));
    if (names.includes(basename(paths.breadcrumbs(layout, id))))
      outcomes.push(...leftoverBreadcrumbs(disk, layout, id));
    const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (isFolder && isSessionId(id) && names.length === 0 && !disk.stamp(paths.live(layout, id))) {
      const repair = (): string => {
        rmdirSync(folder);
        return `removed the empty folder ${folder}`;
      };
      outcomes.push({ status: "warning", message: `${folder} is empty`, repair });
    }
  }
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: "none" }];
}

function leftoverBreadcrumbs(disk: Disk, layout: Layout, id: string): CheckResult[] {
  const folder = paths.breadcrumbs(layout, id);
  const depths = disk.list(folder).filter((name) => breadcrumbPaths.depthOf(name) !== undefined);
  return depths.flatMap((name) => leftoverTempFiles(disk, join(folder, name)));
}

/** Temporary files of processes that died before they could rename them. */
function leftoverTempFiles(disk: Disk, folder: string): CheckResult[] {
  const names = disk.list(folder).filter((name) => {
    const leftover = replacement.read(name);
    return leftover !== undefined && !isRunning(leftover.pid);
  });
  return names.map((name) => {
    const path = join(folder, name);
    const repair = (): string => {
      disk.remove(path);
      return `removed ${path}`;
    };
    return { status: "warning", message: `${path} was left by a crash`, repair };
  });
}
