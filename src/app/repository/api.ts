import type { RepositoryApi } from "../../contract/api/repository.ts";

interface Parts {
  root: string;
  /** Whether `clew init`, or a first session, has been here. */
  isSetUp: () => boolean;
  /** Makes `.clew/` with its ignore rules; returns what was made, and what of an earlier version was brought up to this one. */
  init: () => Promise<{ made: string[]; renewed: string[] }>;
}

export function repositoryApi({ root, isSetUp, init }: Parts): RepositoryApi {
  return {
    show: async () => ({ root, is_set_up: isSetUp() }),
    init: async () => ({ root, ...(await init()) }),
  };
}
