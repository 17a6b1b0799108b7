import type { PinnedAgent, PinnedRule, RunSettings } from "../../contract/pinned-run.ts";
import type { AgentProcess, Agents } from "../engine/agents.ts";
import type { EngineStarts } from "../engine/engine-starts.ts";
import type { Rehydrations } from "../rehydrate/rehydrations.ts";
import type { Caller } from "../run/ports.ts";
import type { SessionDrivers } from "../session/drivers.ts";
import type { LogParts } from "../session/log.ts";
import type { WorkClock } from "./chat-budget.ts";
import type { PermissionWait } from "./chat-permissions.ts";
import type { HandleParts } from "./driven-handle.ts";
import type { LiveChats } from "./live-chats.ts";
import type { TalkStates } from "./talk-state.ts";
import type { QuestionDesk } from "./question-desk.ts";

/** What talks need of everything around them. */
export interface AgentsApiParts {
  agents: Agents;
  log: () => Promise<LogParts>;
  find: (name: string) => Promise<string>;
  /** The process that asks for all this. */
  caller: () => Promise<Caller>;
  engines: EngineStarts;
  settings: Pick<RunSettings, "script">;
  /** What agents are held to, as it was when this process first asked. */
  rules: () => Promise<PinnedRule[]>;
  place: TalkPlace;
  time: {
    sleep: (ms: number) => Promise<void>;
    newClock: () => WorkClock;
    later: PermissionWait["later"];
    /** How long a person may take to answer a permission. */
    permissionWaitMs: number;
  };
  /** Sees to it that an agent does not outlive this process. Returns what ends that. */
  guard: (process: AgentProcess) => () => void;
  desk: QuestionDesk;
  chats: LiveChats;
  /** Where other processes see and steer the agents of this one. */
  handles: Omit<HandleParts, "warn">;
  /** What tells agents where they stand. */
  rehydrations: () => Promise<Pick<Rehydrations, "show" | "give" | "receive">>;
  /** One process leads a talk. */
  drivers: SessionDrivers;
  /** What is left of a talk when the process that leads it dies. */
  states: TalkStates;
  /** Ends what a dead process's agent left. */
  endSurvivors: (process: AgentProcess) => Promise<void>;
  /** Throws a ClewError when there is no such agent, or its file is wrong. */
  requireAgent: (name: string) => Promise<PinnedAgent>;
  /** The engine where neither the command nor the session names one. */
  defaultEngine: string;
}

interface TalkPlace {
  /** Where a new talk takes place. */
  folder: string;
  /** Whether a talk may be resumed in this folder: a session is anybody's text. */
  isOwnFolder: (folder: string) => boolean;
  newMark: (sessionId: string) => string;
}
