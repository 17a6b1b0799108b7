import type { BeadStore } from "../../app/bead/ports.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Locks } from "../files/lock.ts";
import { nodeDisk } from "../files/node-disk.ts";
import type { Repository } from "../git/repository.ts";
import { openBeadStore } from "./open-beads.ts";

interface Parts {
  repository: Repository;
  env: Record<string, string | undefined>;
  settings: () => Promise<Pick<Settings, "allow_outside_beads">>;
  /** The store that this process has opened already. */
  openStore: BeadStore | undefined;
}

/**
 * The beads as they are now: a daemon lives longer than what it read. A store that is opened here is only read, so that it
 * needs no locks: a program that keeps the beads has its own.
 */
export async function readBeads({ repository, env, settings, openStore }: Parts): Promise<BeadStore> {
  if (openStore) {
    await openStore.refresh();
    return openStore;
  }
  const noLocks: Locks = { with: async (_, work) => work(), close: () => undefined };
  const locks = async (): Promise<Locks> => noLocks;
  const { root, commonDir } = repository;
  return openBeadStore(
    { disk: nodeDisk, root, commonDir, env, actor: undefined, locks, locksAt: locks },
    // Only a preview asks, which says what a run would meet.
    { mayWriteOutside: (await settings()).allow_outside_beads, refuseSparse: () => undefined },
  );
}
