import type { EngineEvent } from "../contract/engine.ts";

/** Why a text was not taken. `closed`: the engine or its stdin has ended. `full`: the engine does not read. */
export type Refusal = "closed" | "full";

/** Writes whole lines to the engine's stdin. Never waits. */
export type Write = (text: string) => Refusal | undefined;

/**
 * One engine session over the pipes of one process, in the engine's own protocol: what it prints becomes events, what it
 * is told becomes lines. Takes any text and never throws.
 */
export interface Conversation {
  /** Writes what the engine needs first, the prompt among it. */
  begin(): void;
  /** One line that the engine printed, as it came, without its end. */
  read(line: string): EngineEvent[];
  /** The engine's stdout has ended: what can only be said now. */
  end(): EngineEvent[];
  /** Gives a further message. An engine that would drop its work for it gets it when its round has ended. */
  send(text: string): Refusal | undefined;
  /** Answers a permission that an event asked for, by one of its options. The model reads `reason` where the engine can hand it on. */
  answer(permissionId: string, optionId: string, reason?: string): Refusal | undefined;
  /** Ends the round that the engine is at; the engine stays. */
  interrupt(): Refusal | undefined;
}
