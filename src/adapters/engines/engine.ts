import type { AgentRequest } from "../../app/engine/agents.ts";
import type { EngineInput } from "../../engine/engine-input.ts";
import type { EngineReader } from "../../engine/engine-reader.ts";

/** A program that runs agents: how to start it, what to write to it, and how to read what it prints. */
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
  /** Beside the environment that all engines get. */
  env?: Record<string, string>;
  /** What it reads first: the prompt, of engines that do not take it as an argument. */
  stdin?: string;
  /** What can be written afterwards; stdin stays open for it. Absent: the engine takes nothing more. */
  input?: EngineInput;
}

/** Something is missing that a person has to give. */
export interface CannotStart {
  /** What is missing, and the way to give it. */
  reason: string;
}
