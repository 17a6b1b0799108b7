import type { AgentResult } from "../../../contract/engine.ts";
import type { Redacted } from "../../../contract/redacted.ts";
import type { StepAddress } from "../../../contract/run.ts";

/** The attempt at a step that a continue token was given for. */
export interface TokenStep extends StepAddress {
  session: string;
  run: string;
}

/** Tokens by which an agent shows which attempt it was asked for. The same step always has the same one. */
export interface ContinueTokens {
  /** Throws a ClewError when no key can be had. */
  issue(step: TokenStep): string;
  /** Undefined when Clew did not give it to this user, for this repository. */
  read(token: string): TokenStep | undefined;
}

/**
 * What became of a result: `taken` by this process, which works on the attempt; `left` for the one that does, which may have taken
 * another meanwhile; `known`: the attempt has a result already, which stays.
 */
export type HandingIn = "taken" | "left" | "known";

/** What connected agents handed in, until their steps are completed. Any process may hand in what another waits for. */
export interface HandedInResults {
  /** A result that is `left` is on disk when this returns, one that is `taken` when the attempt is completed. */
  put(run: string, step: StepAddress, result: Redacted<AgentResult>): HandingIn;
  /** The attempt did not come to its end here: what it was given is on disk when this returns. */
  keep(run: string, step: StepAddress): void;
  get(run: string, step: StepAddress): AgentResult | undefined;
  /** Resolves with the result of the attempt with this address; undefined at the signal. */
  wait(run: string, address: string, signal: AbortSignal): Promise<AgentResult | undefined>;
  /** Removes what was handed in for a run, but for what an open attempt waits for. */
  clear(run: string, open?: StepAddress): void;
}
