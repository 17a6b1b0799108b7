import type { RepositoryApi } from "../../contract/api/repository.ts";

type Initialised = Awaited<ReturnType<RepositoryApi["init"]>>;

interface Parts {
  root: string;
  /** Whether `clew init`, or a first session, has been here. */
  isSetUp: () => boolean;
  /** Makes `.clew/` with its ignore rules; returns what was made, and what of an earlier version was brought up to this one. */
  init: () => Promise<{ made: string[]; renewed: string[] }>;
  /** What could be imported. */
  importable: () => Promise<Initialised["importable"]>;
}

export function repositoryApi({ root, isSetUp, init, importable }: Parts): RepositoryApi {
  return {
    show: async () => ({ root, is_set_up: isSetUp() }),
    init: async () => ({ root, ...(await init()), importable: await importable() }),
  };
}
