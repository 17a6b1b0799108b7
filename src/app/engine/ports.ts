import type { BareRemains, EngineAbilities, EngineManners } from "../../contract/engine-abilities.ts";

/** The engines of this program, looked at from outside: no model is asked. */
export interface EngineProbes {
  readonly names: readonly string[];
  /** Takes a few seconds at most, whatever the program does. Throws nothing; undefined when there is no such engine. */
  probe(name: string): Promise<EngineFacts | undefined>;
}

/** What can be seen of an engine. */
export interface EngineFacts {
  name: string;
  abilities: EngineAbilities;
  manners: EngineManners;
  bare: readonly BareRemains[];
  /** The file of its program; null when there is none. */
  path: string | null;
  /** Why it cannot start, and what gives it what it lacks. */
  obstacle?: { reason: string; fix?: string };
  /** What its program answered when it was asked for its version; absent when it was not asked. */
  answer?: VersionAnswer;
  /** The version that it was tested with, and how that one is installed. */
  tested?: { version: string; install: string };
  isLoggedIn: boolean | null;
  /** How a person logs in. */
  logIn: string;
}

/** `failure` completes "NAME --version …". */
export type VersionAnswer = { version: string } | { failure: string };
