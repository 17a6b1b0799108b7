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
  let existingFolder = folder;
  while (!existsSync(existingFolder)) existingFolder = dirname(existingFolder);
  const surroundingRepository = repositoryAround(existingFolder);
  if (surroundingRepository?.commonDir === repository.commonDir) return locks();
  const { sqliteLocks } = await import("../files/lock.ts");
  if (!surroundingRepository) return sqliteLocks(beadPaths.locks(folder));
  const place = paths.locks({ home: homeIn(surroundingRepository.commonDir) });
  refuseLinkOut({ ...surroundingRepository, allowed: [] }, place);
  return sqliteLocks(place);
}
