/** What an agent may do without being asked: read its folder; edit and run there; anything. */
export const permissionLevels = ["read", "work", "full"] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

/** What an engine can do for Clew. One suite tests for every engine what it declares. */
export interface EngineAbilities {
  /** Goes on with an earlier session of its own. */
  resume: boolean;
  /** Has an option of its own for the form of the result. */
  structured_result: boolean;
  /** Asks before it does what goes beyond its level. */
  permissions: boolean;
  /** Takes further messages: they join the round that it is at, or wait until it has ended. */
  send: "joins" | "queues" | false;
  hooks: boolean;
  /** Lets an agent use only the tools that it is told. */
  tools: boolean;
  mcp: boolean;
  /** Tells the tokens that it used: while it works, or when a round has ended. */
  usage: "stream" | "round" | false;
  /** Tells what that cost. */
  cost: boolean;
}

/** How an engine behaves where others differ. */
export interface EngineManners {
  /** What a denied permission does to the round. */
  denial: "goes_on" | "ends_round";
  /** Whether an interrupt ends the command that runs, too. */
  interrupt: "ends_command" | "leaves_command";
  /** After so long without an answer the engine denies a permission by itself. */
  permission_timeout_ms?: number;
}
