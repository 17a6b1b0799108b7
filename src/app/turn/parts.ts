import type { PinnedAgent, RunSettings } from "../../contract/pinned-run.ts";
import type { WorkClock } from "../agent/chat-budget.ts";
import type { AgentProcess, Agents } from "../engine/agents.ts";
import type { EngineStarts } from "../engine/engine-starts.ts";
import type { Caller } from "../run/ports.ts";
import type { SessionDrivers } from "../session/drivers.ts";
import type { SessionParts } from "../session/parts.ts";
import type { ContextFiles, ReadRefusal, TurnStore } from "./ports.ts";

/** What the operations on turns need of everything around them. */
export interface TurnParts {
  store: TurnStore;
  files: ContextFiles;
  /** Undefined where no rule of the policy denies anything. */
  readRefusal: () => Promise<ReadRefusal | undefined>;
  sessions: SessionParts;
  find: (name: string) => Promise<string>;
  /** One process works on the turns of a session. */
  drivers: SessionDrivers;
  /** The process that asks for all this. */
  caller: () => Promise<Caller>;
  /** How much may be sent, in tokens. */
  budget: number;
  /** Puts right what a dead process left half done in the turns of a session. Under the session's lock. */
  mend: (session: string) => Promise<void>;
  /** Where a session's folder, or that of a turn, stands. */
  folderOf: (session: string, turn?: string) => string;
  /** The same, as a path below the root. */
  pathOf: (session: string, turn: string, file: string) => string;
  /** Throws a ClewError when there is no such agent, or its file is wrong. */
  requireAgent: (name: string) => Promise<PinnedAgent>;
  /** Loaded when an agent is asked. */
  planning: () => Promise<PlanningParts>;
}

/** What asks an agent for a plan. */
export interface PlanningParts {
  agents: Agents;
  engines: EngineStarts;
  settings: Pick<RunSettings, "script">;
  /** Where the engine is started. */
  folder: string;
  newMark: (session: string) => string;
  newClock: () => WorkClock;
  /** Sees to it that the agent does not outlive this process. Returns what ends that. */
  guard: (process: AgentProcess) => () => void;
  /** The engine where neither the command nor the agent's file names one. */
  defaultEngine: string;
}
