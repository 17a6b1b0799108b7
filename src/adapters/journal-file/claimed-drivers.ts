import { driversIn } from "../../app/run/claimed-beads.ts";
import { withFallback } from "../files/failure.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { repositoryAround } from "../git/repository.ts";
import { homeIn } from "../layout.ts";
import type { Driver } from "../shell/caller.ts";
import { bootName } from "../system/system.ts";
import { claimsToRead } from "./claimed-runs.ts";

/** The processes that drive runs of the repository around a folder, as its claims name them. */
export function driversAround(folder: string): Driver[] {
  // Runs cannot be driven in a repository that cannot be read.
  const repository = withFallback(() => repositoryAround(folder), undefined);
  return repository ? driversIn(claimsToRead(nodeDisk, { home: homeIn(repository.commonDir) }, bootName())) : [];
}
