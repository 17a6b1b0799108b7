import type { UnfinishedRun } from "../../contract/api/bead-shapes.ts";
import type { Bead } from "../../contract/bead.ts";
import type { BeadStore } from "../bead/ports.ts";
import type { AgentsApiParts } from "../agent/parts.ts";
import type { AgentProcess } from "../engine/agents.ts";
import type { Caller } from "../run/ports.ts";
import type { SessionDrivers } from "../session/drivers.ts";
import type { LogParts } from "../session/log.ts";
import type { WorkClaims, WorkStates } from "./ports.ts";

/** What work sessions need of everything around them. */
export interface WorkParts {
  log: LogParts;
  /** The session that a person names; throws a ClewError when there is none. */
  find: (name: string) => Promise<string>;
  /** The process that asks for all this. */
  caller: () => Promise<Caller>;
  beads: WorkBeads;
  claims: WorkClaims;
  states: WorkStates;
  drivers: SessionDrivers;
  agents: WorkAgents;
  place: WorkPlace;
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

export interface WorkBeads {
  store: BeadStore;
  /** Ids of the unfinished beads that this one waits for. */
  openDependencies: (bead: Bead) => string[];
  /** The run of a bead that is not over. */
  unfinishedRunOf: (beadId: string) => UnfinishedRun | undefined;
}

/** What talks need as well, and what only work sessions do. */
export interface WorkAgents extends Pick<
  AgentsApiParts,
  | "agents"
  | "engines"
  | "settings"
  | "rules"
  | "chats"
  | "desk"
  | "time"
  | "guard"
  | "requireAgent"
  | "defaultEngine"
  | "rehydrations"
  | "handles"
> {
  /** Whether an agent may correct a wrong result once. */
  repairs: boolean;
  /** Renders the spell `work`. Throws a ClewError when it cannot be rendered. */
  renderPrompt: (data: Record<string, unknown>) => string;
}

/** Where a work session works: in the checkout that the command was called in. */
export interface WorkPlace {
  folder: string;
  /** The branch that is checked out there; undefined when HEAD is detached. */
  branch: () => string | undefined;
  /** The same of another folder. */
  branchIn: (folder: string) => string | undefined;
  newMark: (sessionId: string) => string;
  /** Ends what a dead driver's agent left. */
  endSurvivors: (process: AgentProcess) => Promise<void>;
}
