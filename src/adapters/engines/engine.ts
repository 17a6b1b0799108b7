import type { AgentRequest, AgentTask, EngineTraits } from "../../app/engine/agents.ts";
import type { HookServer } from "../../app/engine/hook-endpoint.ts";
import type { McpServer } from "../../app/engine/result-tool.ts";
import type { Conversation, Write } from "../../engine/conversation.ts";

/** A program that runs agents: how to start it, and how to talk with it. */
export interface Engine extends Readonly<EngineTraits> {
  readonly name: string;
  /** Prompts that begin with one of these are commands of its own to it: a bare agent is not started with such a one. */
  readonly commandSigns?: readonly string[];
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
  /** Where it tells its hooks; the token is in the environment as well, by `hookVariables`. */
  hooks?: HookServer;
}

export interface EngineStart {
  /** The program and its arguments. */
  command: string[];
  /** Added to the environment that all engines get; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  files?: readonly StartFile[];
}

/** A file that the engine reads when it starts. It is there while the agent works. */
export interface StartFile {
  /** Gets its path. Without it the file stands in the folder where the agent works: only that of a bare agent may have such. */
  variable?: string;
  /** May have folders in it, when it stands in the agent's. */
  name: string;
  content: string;
}

/** `reason` says what the user has to provide, and how; `fix` is a command that does it. */
export interface CannotStart {
  reason: string;
  fix?: string;
}
