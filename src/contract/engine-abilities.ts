/** What an agent may do without being asked: read its folder; edit and run there; anything. */
export const permissionLevels = ["read", "work", "full"] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

/**
 * How an agent that Clew starts tells of each call of a tool, beside its stream: by HTTP to the process that drives it, by commands, or
 * not at all. Where it does, a call that no hook told of skipped it; where it does not, the stream is the only witness.
 */
export const engineHooks = ["http", "command", "none"] as const;
export type EngineHooks = (typeof engineHooks)[number];

/**
 * What can reach the model of a bare agent beside its prompt: instructions of the engine's own, descriptions of tools, files of instructions
 * that the user or the repository has, words of hooks, servers of tools, and facts such as the date, the system and the folder.
 */
export const bareRemains = [
  "system_prompt",
  "tools",
  "user_memory",
  "project_memory",
  "hooks",
  "mcp",
  "environment",
] as const;
export type BareRemains = (typeof bareRemains)[number];

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
  hooks: EngineHooks;
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
