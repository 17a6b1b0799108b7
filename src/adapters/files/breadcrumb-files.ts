import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BreadcrumbFiles, FoundBreadcrumbs } from "../../app/session/ports.ts";
import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import { ClewError } from "../../contract/errors.ts";
import { escapedControls } from "../../text/controls.ts";
import { isSessionId } from "../../session/session-id.ts";
import { paths, type Layout } from "../layout.ts";
import { breadcrumbPaths } from "../layout/session-paths.ts";
import type { Disk } from "./disk.ts";
import { parseJson } from "../../text/parse-json.ts";

/** Many times what the longest breadcrumb takes. */
const maxBytes = 4 * 1024 * 1024;

/** Breadcrumbs as `sessions/ID/breadcrumbs/DEPTH/TIME.json`. No link is followed: they stand where they are looked for. */
export function breadcrumbFiles(disk: Disk, layout: Layout): BreadcrumbFiles {
  function folderOf(sessionId: string): string {
    if (!isSessionId(sessionId))
      throw new ClewError("invalid_id", `${JSON.stringify(sessionId)} is no session id`, "ids are [a-z0-9-]");
    return paths.breadcrumbs(layout, sessionId);
  }

  return {
    async add(sessionId, breadcrumb) {
      const folder = breadcrumbPaths.depth(folderOf(sessionId), breadcrumb.depth);
      for (const each of [dirname(folder), folder]) refuseLink(each);
      disk.makeFolder(folder);
      const bytes = Buffer.from(`${escapedControls(JSON.stringify(breadcrumb, undefined, 2))}\n`);
      for (let number = 1; ; number++) {
        const path = breadcrumbPaths.file(folder, breadcrumb.timestamp, number);
        if (disk.create(path, bytes, 0o644)) return path;
      }
    },

    async list(sessionId, { depth, limit } = {}) {
      const found: FoundBreadcrumbs = { breadcrumbs: [], unreadable: [] };
      const folder = folderOf(sessionId);
      const files = isLink(folder) ? [] : filesIn(disk, folder, depth, found);
      if (isLink(folder)) found.unreadable.push(linkProblem(folder));
      if (files.length === 0 || limit === 0) return found;
      const { breadcrumbInFile } = await import("../../contract/breadcrumb.ts");
      const { firstProblem } = await import("../../contract/session-schema.ts");
      const rounds = new Set<string>();
      for (const { path, depth: expected } of files.toReversed()) {
        if (limit !== undefined && found.breadcrumbs.length + found.unreadable.length >= limit) break;
        try {
          const checked = breadcrumbInFile.safeParse(readJson(disk, path));
          if (!checked.success) throw new ClewError("unreadable_file", firstProblem(checked.error), "");
          if (checked.data.depth !== expected)
            throw new ClewError("unreadable_file", "its depth is not its folder's", "");
          const round = roundOf(checked.data);
          if (round !== undefined && rounds.has(round)) continue;
          if (round !== undefined) rounds.add(round);
          found.breadcrumbs.push(checked.data);
        } catch (error) {
          found.unreadable.push({ path, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      found.breadcrumbs.reverse();
      return found;
    },
  };
}

/**
 * The place of a round in a transcript. What was mended while git had put the files away stands beside what came back with them: the
 * later file is the one that was written while the agent worked.
 */
function roundOf({ kind, depth, transcript }: Breadcrumb): string | undefined {
  return kind === "round" && transcript ? `${depth} ${transcript.file} ${transcript.from}` : undefined;
}

interface BreadcrumbFile {
  path: string;
  depth: number;
  time: string;
  number: number;
}

/** In the order of time. */
function filesIn(disk: Disk, folder: string, wanted: number | undefined, found: FoundBreadcrumbs): BreadcrumbFile[] {
  const files: BreadcrumbFile[] = [];
  for (const name of disk.list(folder)) {
    const depth = breadcrumbPaths.depthOf(name);
    if (depth === undefined || (wanted !== undefined && depth !== wanted)) continue;
    const depthFolder = join(folder, name);
    try {
      if (isLink(depthFolder)) found.unreadable.push(linkProblem(depthFolder));
      else files.push(...filesOfDepth(disk, depthFolder, depth));
    } catch (error) {
      found.unreadable.push({ path: depthFolder, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return files.sort((a, b) => compare(a.time, b.time) || a.depth - b.depth || a.number - b.number);
}

function filesOfDepth(disk: Disk, folder: string, depth: number): BreadcrumbFile[] {
  return disk.list(folder).flatMap((name) => {
    const read = breadcrumbPaths.read(name);
    return read ? [{ path: join(folder, name), depth, ...read }] : [];
  });
}

/** Throws when it is no JSON, and what reading throws. */
function readJson(disk: Disk, path: string): unknown {
  if (isLink(path)) throw new ClewError("unreadable_file", linkProblem(path).reason, "");
  const value = parseJson(disk.read(path, maxBytes)?.toString("utf8") ?? "");
  if (value === undefined) throw new ClewError("unreadable_file", "is no JSON", "");
  return value;
}

function refuseLink(path: string): void {
  if (!isLink(path)) return;
  throw new ClewError(
    "leads_outside",
    `${path} is a link, and breadcrumbs are kept in their session's folder`,
    "put a folder there",
  );
}

function linkProblem(path: string): { path: string; reason: string } {
  return { path, reason: "is a link, and no link is followed here" };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
