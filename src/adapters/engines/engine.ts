import type { AgentRequest, AgentTask } from "../../app/engine/agents.ts";
import type { McpServer } from "../../app/engine/result-tool.ts";
import type { EngineAbilities, EngineManners } from "../../contract/engine-abilities.ts";
import type { Conversation, Write } from "../../engine/conversation.ts";

/** A program that runs agents: how to start it, and how to talk with it. */
export interface Engine {
  readonly name: string;
  readonly abilities: EngineAbilities;
  readonly manners: EngineManners;
  /** How a person logs in: what to run, or to set. */
  readonly logIn: string;
  /** The file of its program, when that comes with Clew; other programs are looked for, see `known-programs.ts`. */
  readonly ownProgram?: string;
  /** What it lacks beside its program, as files tell; undefined when nothing. Reads only. */
  lacks?(settings: EngineRequest["settings"]): CannotStart | undefined;
  /** Reads only: a preview asks it, too. */
  start(request: EngineRequest): EngineStart | CannotStart;
  /** Talks with one process of it, or reads again what one printed. */
  converse(request: EngineRequest, write: Write): Conversation;
}

export interface EngineRequest extends Pick<AgentRequest, "resume" | "settings"> {
  task: AgentTask;
  folder: string;
  /** Where it can hand in its result; the token is in the environment as well, by `mcpVariables`. */
  server?: McpServer;
}

export interface EngineStart {
  /** The program and its arguments. */
  command: string[];
  /** Added to the environment that all engines get; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
}

/** `reason` says what the user has to provide, and how; `fix` is a command that does it. */
export interface CannotStart {
  reason: string;
  fix?: string;
}
