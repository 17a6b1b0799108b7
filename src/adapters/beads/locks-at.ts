import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { refuseLinkOut } from "../files/bounds.ts";
import type { Locks } from "../files/lock.ts";
import { repositoryAround, type Repository } from "../git/repository.ts";
import { homeIn, paths } from "../layout.ts";
import { beadPaths } from "../layout/bead-paths.ts";

/**
 * The locks of the repository around a folder: a Clew of that repository takes them too. A folder outside of any repository
 * has locks of its own. `own` are the locks of this repository.
 */
export async function locksAt(
  folder: string,
  own: { repository: Repository; locks: () => Promise<Locks> },
): Promise<Locks> {
  let existingFolder = folder;
  while (!existsSync(existingFolder)) existingFolder = dirname(existingFolder);
  const repository = repositoryAround(existingFolder);
  if (repository?.commonDir === own.repository.commonDir) return own.locks();
  const { sqliteLocks } = await import("../files/lock.ts");
  if (!repository) return sqliteLocks(beadPaths.locks(folder));
  const place = paths.locks({ home: homeIn(repository.commonDir) });
  refuseLinkOut({ ...repository, allowedFolders: [] }, place);
  return sqliteLocks(place);
}
