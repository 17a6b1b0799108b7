import type { UnfinishedRun } from "../../contract/api/bead-shapes.ts";
import type { Bead } from "../../contract/bead.ts";
import type { PinnedAgent, RunSettings } from "../../contract/pinned-run.ts";
import type { WorkClock } from "../agent/chat-budget.ts";
import type { LiveChats } from "../agent/live-chats.ts";
import type { QuestionDesk } from "../agent/question-desk.ts";
import type { BeadStore } from "../bead/ports.ts";
import type { AgentProcess, Agents } from "../engine/agents.ts";
import type { EngineStarts } from "../engine/engine-starts.ts";
import type { LogParts } from "../session/log.ts";
import type { WorkClaims, WorkDrivers, WorkStates } from "./ports.ts";

/** What work sessions need of everything around them. */
export interface WorkParts {
  log: LogParts;
  /** The session that a person names; throws a ClewError when there is none. */
  find: (name: string) => Promise<string>;
  beads: WorkBeads;
  claims: WorkClaims;
  states: WorkStates;
  drivers: WorkDrivers;
  agents: WorkAgents;
  place: WorkPlace;
}

export interface WorkBeads {
  store: BeadStore;
  /** Ids of the unfinished beads that this one waits for. */
  openDependencies: (bead: Bead) => string[];
  /** The run of a bead that is not over. */
  unfinishedRunOf: (beadId: string) => UnfinishedRun | undefined;
}

export interface WorkAgents {
  agents: Agents;
  engines: EngineStarts;
  settings: Pick<RunSettings, "script"> & { engine: string; repairs: boolean };
  chats: LiveChats;
  desk: QuestionDesk;
  time: { sleep: (ms: number) => Promise<void>; newClock: () => WorkClock };
  /** Throws a ClewError when there is no such agent, or its file is wrong. */
  agentNamed: (name: string) => Promise<PinnedAgent>;
  /** Renders the spell `work`. Throws a ClewError when it cannot be rendered. */
  renderPrompt: (data: Record<string, unknown>) => string;
}

/** Where a work session works: in the checkout that the command was called in. */
export interface WorkPlace {
  folder: string;
  /** The branch that is checked out there; undefined when HEAD is detached. */
  branch: () => string | undefined;
  newMark: (sessionId: string) => string;
  /** Ends what a dead driver's agent left. */
  endSurvivors: (process: AgentProcess) => Promise<void>;
}
