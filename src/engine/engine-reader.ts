import type { EngineEvent } from "../contract/engine.ts";

/** Turns the lines of one engine session into events. Takes any text and never throws. */
export interface EngineReader {
  /** One line, without its end. */
  push(line: string): EngineEvent[];
  /** The stream is over: what can only be said now. */
  end(): EngineEvent[];
}
