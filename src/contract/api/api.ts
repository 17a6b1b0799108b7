import type { BeadsApi } from "./bead.ts";
import type { ConfigApi } from "./config.ts";
import type { DoctorApi } from "./doctor.ts";
import type { GrimoiresApi } from "./grimoire.ts";
import type { InboxApi } from "./inbox.ts";
import type { RepositoryApi } from "./repository.ts";
import type { RunsApi } from "./run.ts";
import type { SchedulerApi } from "./scheduler.ts";
import type { SearchApi } from "./search.ts";
import type { SessionsApi } from "./session.ts";
import type { SpellsApi } from "./spell.ts";
import type { StatusApi } from "./status.ts";
import type { WorktreesApi } from "./worktree.ts";

/** Everything that a front end can ask. Types only; the schemas are in `table.ts`. */
export interface Api {
  repository: RepositoryApi;
  status: StatusApi;
  sessions: SessionsApi;
  inbox: InboxApi;
  search: SearchApi;
  beads: BeadsApi;
  grimoires: GrimoiresApi;
  spells: SpellsApi;
  runs: RunsApi;
  worktrees: WorktreesApi;
  scheduler: SchedulerApi;
  config: ConfigApi;
  doctor: DoctorApi;
}
