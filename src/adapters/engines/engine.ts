import type { AgentRequest } from "../../app/engine/agents.ts";
import type { EngineInput } from "../../engine/engine-input.ts";
import type { EngineReader } from "../../engine/engine-reader.ts";

/** A program that runs agents: how to start it, what to write to it, and how to read its output. */
export interface Engine {
  name: string;
  start(request: EngineRequest): EngineStart | CannotStart;
  /** A new reader for the stdout of one start. */
  reader(): EngineReader;
}

export type EngineRequest = Pick<AgentRequest, "prompt" | "model" | "resume" | "live" | "settings">;

export interface EngineStart {
  /** The program and its arguments. */
  command: string[];
  /** Added to the environment that all engines get. */
  env?: Record<string, string>;
  /** Its first input: the prompt, for engines that do not take it as an argument. */
  stdin?: string;
  /** Makes further input; stdin stays open for it. Absent: the engine takes no more. */
  input?: EngineInput;
}

/** `reason` says what the user has to provide, and how. */
export interface CannotStart {
  reason: string;
}
