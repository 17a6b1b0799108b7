import { agentOperations } from "./agent.ts";
import { beadOperations } from "./bead.ts";
import { configOperations } from "./config.ts";
import { daemonOperations } from "./daemon.ts";
import { doctorOperations } from "./doctor.ts";
import { engineOperations } from "./engine.ts";
import { grimoireOperations } from "./grimoire.ts";
import { importOperations } from "./import.ts";
import { inboxOperations } from "./inbox.ts";
import type { OperationTable } from "./operation.ts";
import { repositoryOperations } from "./repository.ts";
import { runOperations } from "./run.ts";
import { schedulerOperations } from "./scheduler.ts";
import { searchOperations } from "./search.ts";
import { sessionOperations } from "./session.ts";
import { spellOperations } from "./spell.ts";
import { statusOperations } from "./status.ts";
import { workOperations } from "./work.ts";
import { worktreeOperations } from "./worktree.ts";

/** All operations, by resource. */
export const operations = {
  repository: repositoryOperations,
  status: statusOperations,
  sessions: sessionOperations,
  imports: importOperations,
  inbox: inboxOperations,
  search: searchOperations,
  beads: beadOperations,
  grimoires: grimoireOperations,
  spells: spellOperations,
  runs: runOperations,
  agents: agentOperations,
  work: workOperations,
  worktrees: worktreeOperations,
  engines: engineOperations,
  scheduler: schedulerOperations,
  daemon: daemonOperations,
  config: configOperations,
  doctor: doctorOperations,
} satisfies Record<string, OperationTable>;
