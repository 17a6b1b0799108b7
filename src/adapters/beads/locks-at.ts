import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { refuseLinkOut } from "../files/bounds.ts";
import type { Locks } from "../files/lock.ts";
import { repositoryAround, type Repository } from "../git/repository.ts";
import { beadPaths, homeIn, paths } from "../layout.ts";

interface Own {
  repository: Repository;
  locks: () => Promise<Locks>;
}

/**
 * The locks of the repository in which a folder stands, which is whose Clew writes there too; of a folder that stands in none,
 * in the folder itself.
 */
export async function locksAt(folder: string, { repository, locks }: Own): Promise<Locks> {
  let at = folder;
  while (!existsSync(at)) at = dirname(at);
  const there = repositoryAround(at);
  if (there?.commonDir === repository.commonDir) return locks();
  const { sqliteLocks } = await import("../files/lock.ts");
  if (!there) return sqliteLocks(beadPaths.locks(folder));
  const place = paths.locks({ home: homeIn(there.commonDir) });
  refuseLinkOut({ ...there, allowedFolders: [] }, place);
  return sqliteLocks(place);
}
