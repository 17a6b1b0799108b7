import type { RunSettings } from "../../contract/run.ts";
import type { EngineReader } from "../../engine/engine-reader.ts";

/** A program that runs agents: how to start it, and how to read what it prints. */
export interface Engine {
  name: string;
  start(request: EngineRequest): EngineStart | CannotStart;
  /** A new reader for the stdout of one start. */
  reader(): EngineReader;
}

export interface EngineRequest {
  prompt: string;
  model?: string;
  settings: RunSettings;
}

export interface EngineStart {
  /** The program and its arguments. */
  command: string[];
  /** Beside the environment that all engines get. */
  env?: Record<string, string>;
  stdin?: string;
}

/** Something is missing that a person has to give. */
export interface CannotStart {
  /** What is missing, and the way to give it. */
  reason: string;
}
