import type { TakeHook } from "../app/hook/take-hook.ts";
import type { KeptAnswers, Tokens } from "../app/daemon/ports.ts";
import type { EventHub } from "../app/run/event-hub.ts";
import type { Asker } from "../app/run/ports.ts";
import type { Api } from "../contract/api/api.ts";

/** What the daemon serves with. */
export interface DaemonParts {
  /** Puts the operations together for one request: it sees settings and files as they are now. */
  openOperations: (asker: Asker) => { api: Api; close: () => Promise<void> };
  tokens: Pick<Tokens, "check" | "refusalOf">;
  keptAnswers: KeptAnswers;
  /** Keeps what the hook of an agent told that the user started, and says what its engine is answered. Never rejects. */
  takeHook: TakeHook;
  eventHub: () => Promise<EventHub>;
  /** What is told of this daemon itself. */
  self: () => Awaited<ReturnType<Api["daemon"]["status"]>>;
  /** The OpenAPI document, as JSON. */
  apiDocument: () => string;
  /** A system error as one that a person can act on; any other as it is. */
  explain: (error: unknown) => unknown;
  redact: (text: string) => string;
  /** A line for the daemon's log. */
  log: (line: string) => void;
  elapsedMs: () => number;
}
