import { agentOperations } from "./agent.ts";
import { beadOperations } from "./bead.ts";
import { codifyOperations } from "./codify.ts";
import { configOperations } from "./config.ts";
import { connectionOperations } from "./connection.ts";
import { daemonOperations } from "./daemon.ts";
import { doctorOperations } from "./doctor.ts";
import { engineOperations } from "./engine.ts";
import { evidenceOperations } from "./evidence.ts";
import { grimoireOperations } from "./grimoire.ts";
import { hookOperations } from "./hook.ts";
import { importOperations } from "./import.ts";
import { inboxOperations } from "./inbox.ts";
import { learnOperations } from "./learn.ts";
import type { OperationTable } from "./operation.ts";
import { policyOperations } from "./policy.ts";
import { repositoryOperations } from "./repository.ts";
import { runOperations } from "./run.ts";
import { schedulerOperations } from "./scheduler.ts";
import { searchOperations } from "./search.ts";
import { sessionOperations } from "./session.ts";
import { spellOperations } from "./spell.ts";
import { statusOperations } from "./status.ts";
import { executionOperations } from "./turn-execution.ts";
import { turnOperations } from "./turn.ts";
import { workOperations } from "./work.ts";
import { worktreeOperations } from "./worktree.ts";

/** All operations, by resource. */
export const operations = {
  repository: repositoryOperations,
  status: statusOperations,
  sessions: sessionOperations,
  codify: codifyOperations,
  turns: { ...turnOperations, ...executionOperations },
  imports: importOperations,
  inbox: inboxOperations,
  search: searchOperations,
  learn: learnOperations,
  beads: beadOperations,
  grimoires: grimoireOperations,
  spells: spellOperations,
  runs: runOperations,
  agents: agentOperations,
  work: workOperations,
  worktrees: worktreeOperations,
  engines: engineOperations,
  hooks: hookOperations,
  evidence: evidenceOperations,
  connections: connectionOperations,
  policies: policyOperations,
  scheduler: schedulerOperations,
  daemon: daemonOperations,
  config: configOperations,
  doctor: doctorOperations,
} satisfies Record<string, OperationTable>;
