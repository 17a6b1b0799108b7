import type { Json } from "./json.ts";

/** The engines that call hooks of ours. */
export const hookEngines = ["claude", "codex", "gemini", "qwen", "opencode"] as const;
export type HookEngine = (typeof hookEngines)[number];

/** What happens in an engine that hooks tell of, by Claude's names; the other engines' own names are in `hook/events.ts`. */
export const hookEvents = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PermissionRequest",
  "PermissionDenied",
  "PreCompact",
  "PostCompact",
  "SessionStart",
  "UserPromptSubmit",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "TaskCreated",
  "TaskCompleted",
  "SessionEnd",
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** One call of a hook, as it is kept: a line of a spool, or of the evidence of an agent that Clew started. */
export interface HookLine {
  /** The version of this form. */
  v: 1;
  /** When Clew heard of it, ISO 8601. */
  at: string;
  /** One of `hookEvents`, or the engine's own name of one that is not known. */
  event: string;
  engine: string;
  /** The folder by which the repository was found. */
  folder: string;
  /** What the engine sent, redacted and shortened. */
  hook: Record<string, unknown>;
}

/** The same, of an agent that Clew started. */
export interface EvidenceLine extends HookLine {
  /** The run, or the session of a talk or a work session. */
  owner: string;
  /** The step, with its attempt behind `#`; null outside runs. */
  step: string | null;
  /** Of one call of a tool, before and after it; null where the engine gives none. */
  tool_use_id: string | null;
  /** `stream`: the engine calls no hooks, and what it prints tells of the call. */
  via: "command" | "http" | "stream";
}

/** By these, an agent that Clew starts knows where it tells its hooks. */
export const hookVariables = { url: "CLEW_HOOK_URL", token: "CLEW_HOOK_TOKEN" } as const;

/** Holds the token by which engines that the user starts tell their hooks to the daemon. */
export const daemonHookVariable = "CLEW_HOOKS_TOKEN";

/** Why a call of a hook was not kept. */
export interface HookFault {
  at: string;
  event: string;
  what: string;
}

/** Where an engine reads settings from: this checkout alone, the repository, or all of the user's. */
export const hookScopes = ["local", "project", "user"] as const;
export type HookScope = (typeof hookScopes)[number];

/** What a hook answers. An empty one lets the engine go on as if there were no hook. */
export interface HookAnswer {
  /** Before a tool call, or where an engine asks for a permission; `deny` before a compaction refuses that one. */
  decision?: "allow" | "deny" | "ask" | "defer";
  /** Why, in words: the model reads it. */
  reason?: string;
  /** Another input for the tool. */
  input?: Record<string, unknown>;
  /** The model reads it; before a compaction, words for its summary. */
  context?: string;
  /** What an MCP tool is to have answered, in place of what it did. */
  output?: Json;
  /** The agent stops, for this reason. */
  stop?: string;
}

/** How an engine is connected to Clew: hooks that tell what its agents do, and the MCP server that they call. */
export const connectionParts = ["hooks", "mcp"] as const;
export type ConnectionPart = (typeof connectionParts)[number];
