import { ClewError } from "../../contract/errors.ts";
import { driversIn } from "../../app/run/claimed-beads.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { repositoryAround, type Repository } from "../git/repository.ts";
import { homeIn } from "../layout.ts";
import type { Driver } from "../shell/caller.ts";
import { bootName } from "../system/system.ts";
import { claimsToRead } from "./claimed-runs.ts";

/** The processes that drive runs of the repository around a folder, as its claims name them. */
export function driversAround(folder: string): Driver[] {
  const repository = readableRepository(folder);
  return repository ? driversIn(claimsToRead(nodeDisk, { home: homeIn(repository.commonDir) }, bootName())) : [];
}

/** Runs cannot be driven in a repository that cannot be read. */
function readableRepository(folder: string): Repository | undefined {
  try {
    return repositoryAround(folder);
  } catch (error) {
    if (error instanceof ClewError) return undefined;
    throw error;
  }
}
