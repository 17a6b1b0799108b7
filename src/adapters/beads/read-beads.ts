import type { BeadStore } from "../../app/bead/ports.ts";
import type { Settings } from "../../contract/settings.ts";
import { nodeDisk } from "../files/node-disk.ts";
import type { Repository } from "../git/repository.ts";
import { openBeadStore } from "./open-beads.ts";

interface Parts {
  repository: Repository;
  env: Record<string, string | undefined>;
  settings: () => Promise<Pick<Settings, "allow_outside_beads">>;
  /** Who has read the beads already. */
  openStore: BeadStore | undefined;
}

/**
 * The beads as they are now: a daemon lives longer than what it read. Where nobody has opened them nothing is written, so
 * that nobody has to wait for others: a program that keeps the beads looks after that itself.
 */
export async function readBeads({ repository, env, settings, openStore }: Parts): Promise<BeadStore> {
  if (openStore) {
    await openStore.refresh();
    return openStore;
  }
  const locks = {
    with: async <T>(_: string, work: () => T | Promise<T>): Promise<T> => work(),
    close: () => undefined,
  };
  const { root, commonDir } = repository;
  return openBeadStore({
    disk: nodeDisk,
    root,
    commonDir,
    env,
    actor: "clew",
    locks: async () => locks,
    locksAt: async () => locks,
    // Only a preview asks, which says what a run would meet.
    mayWriteOutside: (await settings()).allow_outside_beads,
    refuseSparse: () => undefined,
  });
}
