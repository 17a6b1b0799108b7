import type { EngineHooks } from "../../contract/engine-abilities.ts";

/** Serves the hooks of agents that this process drives. */
export interface HookEndpoints {
  /**
   * Opens an endpoint for one agent, with a token of its own. Rejects with a ClewError when no port of loopback can be had.
   * `take` gets the body of each call, and must not reject.
   */
  open(take: (body: string) => Promise<HookReply>): Promise<HookEndpoint>;
}

/** What an engine is answered. An empty body says nothing. */
export interface HookReply {
  contentType: string;
  body: string;
}

/** The endpoint of one agent. */
export interface HookEndpoint {
  server: HookServer;
  /** Ends it: the token is worth nothing from now on. May be repeated. */
  close(): Promise<void>;
}

/** Where an agent tells what it does, as its engine has to know it. */
export interface HookServer {
  url: string;
  /** Never write it down. */
  token: string;
  /** Where the engine can, a tool is not used when its hook fails. */
  failsClosed?: boolean;
}

/** Whether a call that no hook told of was made without one that should have told. */
export function expectsHooks(hooks: EngineHooks): boolean {
  return hooks !== "none";
}
