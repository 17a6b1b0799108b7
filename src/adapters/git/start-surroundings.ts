import { statSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../files/disk.ts";
import type { Repository } from "./repository.ts";
import type { StartRules } from "../../app/run/refusals.ts";
import { rootPaths } from "../layout.ts";
import { userGitSettings, userSettings } from "../layout/user-paths.ts";

interface Parts {
  disk: Disk;
  repository: Repository;
  env: Record<string, string | undefined>;
  rules: Pick<StartRules, "branch">;
}

/**
 * Returns a function that describes all that decides whether a bead can be started, beside the bead: grimoires, spells,
 * agents, settings, the name in commits, the branch. When its text changes, a refused start may be possible now.
 */
export function startSurroundings({ disk, repository, env, rules }: Parts): () => string {
  const { root, commonDir } = repository;
  const watchedPaths = [
    rootPaths.grimoires(root),
    rootPaths.spells(root),
    rootPaths.agents(root),
    rootPaths.settings(root),
    userSettings(env),
    join(commonDir, "config"),
    ...userGitSettings(env),
  ];
  return () => [...watchedPaths.map((path) => stampOf(disk, path, maxDepth)), branchOf(rules)].join(" ");
}

/** Spells may stand in folders; links may lead in circles. */
const maxDepth = 4;

/** The stamp of a file, or of a folder with all that stands in it. */
function stampOf(disk: Disk, path: string, depth: number): string {
  try {
    const stamp = disk.stamp(path);
    if (!stamp) return "-";
    const names = depth > 0 && statSync(path).isDirectory() ? disk.list(path) : [];
    const ownStamp = `${stamp.ino}.${stamp.size}.${stamp.mtimeNs}`;
    return [ownStamp, ...names.map((name) => stampOf(disk, join(path, name), depth - 1))].join(" ");
  } catch {
    return "?";
  }
}

/** The branch without its commit, which moves with every merge: no bead waits for that. */
function branchOf({ branch }: Pick<StartRules, "branch">): string {
  try {
    return branch(undefined).target;
  } catch (error) {
    return (error as Error).message;
  }
}
