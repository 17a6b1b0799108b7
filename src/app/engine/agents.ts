import type { AgentResult, AnswerStop, EngineEvent } from "../../contract/engine.ts";
import type { BareRemains, EngineAbilities, EngineManners, PermissionLevel } from "../../contract/engine-abilities.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { PinnedRule, RunSettings } from "../../contract/pinned-run.ts";
import type { Usage } from "../../contract/run.ts";
import type { Activity } from "../../engine/activity.ts";
import type { PriceTable } from "../../engine/prices.ts";
import type { EngineProblem } from "../../engine/problems.ts";
import type { Verdict } from "../../engine/result-contract.ts";

/** Starts agents. */
export interface Agents {
  /**
   * Starts an engine, or resumes one of its sessions. Never throws: what goes wrong is told by the handle's `done`. No
   * listener is called before it returns.
   */
  run(request: AgentRequest): AgentHandle;
  /** What an engine can do, and how it behaves; undefined when there is none of that name. */
  traitsOf(engine: string): EngineTraits | undefined;
  /**
   * Reads a transcript again, as if the engine printed it now. Returns what was used; undefined when there is no such transcript,
   * or no such engine. `atMs` is when the event's line was printed, as far as the transcript tells.
   */
  replay(
    request: ReplayRequest,
    onEvent: (event: Redacted<EngineEvent>, line: number, atMs: number) => void,
  ): Promise<Pick<AgentEnd, "usage" | "rounds"> | undefined>;
  /** What models cost, as far as it is known. */
  prices(): Promise<PriceTable>;
  /** Whether it can be told what a model of an engine costs: by the engine, or by a table of prices. */
  isCostKnown(engine: string, model: string | undefined): Promise<boolean>;
}

export interface EngineTraits {
  abilities: EngineAbilities;
  manners: EngineManners;
  /** What reaches the model of a bare agent beside its prompt, in the order of `bareRemains`. */
  bare: readonly BareRemains[];
  /** What it does not tell when its model did not come to the end of its answer: then the answer looks complete. */
  untoldStops: readonly AnswerStop[];
}

export interface AgentRequest {
  engine: string;
  task: AgentTask;
  /** The engine's own session that it goes on with. */
  resume?: string;
  place: AgentPlace;
  settings: Pick<RunSettings, "script">;
  /** Rules of the policy that it is held to, whatever the files say while it works. */
  rules?: readonly PinnedRule[];
  /** Whether `usage` must tell the cost while it works, and not only in the end. */
  needsCost?: boolean;
  /** Ends it at any time, by SIGTERM, also before it started. */
  signal: AbortSignal;
  /** Whose transcript it is, and what it tells of. */
  transcript: { owner: string; label: string };
  listeners: AgentListeners;
}

export interface ReplayRequest {
  engine: string;
  /** Whose transcript it is, and its name. */
  transcript: { owner: string; name: string };
  /** What that agent was asked for, but for the prompt. */
  task: Pick<AgentTask, "level" | "model" | "bare">;
  resume?: string;
  folder: string;
}

/** What an agent is asked for. */
export interface AgentTask {
  prompt: string;
  /** Who it is and how it works: what the engine's own instructions are extended by. */
  role?: string;
  model?: string;
  level: PermissionLevel;
  /** The only tools that it may use, as its engine calls them; all without it. An engine without the ability ignores it. */
  tools?: readonly string[];
  /**
   * `result`: it works until it has given a result in the form that `engine/result-instructions.ts` asks for, and ends.
   * `answer`: it ends after one answer, of any form. `talk`: it stays for further messages; then `stop` ends it.
   */
  until: "result" | "answer" | "talk";
  /**
   * It is given the prompt and nothing else: no tools, no files of instructions of the repository or the user (CLAUDE.md, AGENTS.md,
   * GEMINI.md, QWEN.md), no hooks, no MCP servers, no skills, no settings of the repository, and, where the engine can, no system prompt
   * of the engine's own. What an engine cannot leave out is in `EngineTraits.bare`. It works in an empty folder that is made for it, and all
   * that it asks for is denied. Goes with `until: "answer"` and `level: "read"`, and not with `role`, `tools` or `resume`.
   */
  bare?: true;
  /** How many rounds it may make. An engine that can ends by itself then; any other is stopped. */
  rounds?: number;
}

/** Where it works, and how its processes are found. */
export interface AgentPlace {
  folder: string;
  /** Beside what all engines inherit; undefined takes a variable away. */
  env: Record<string, string | undefined>;
  /** A unique word: it finds all that the agent starts. */
  mark: string;
  /** Whether what leaves the agent's process group may go on after it. */
  detach?: boolean;
}

/**
 * Called in order, while nothing else goes on. What one of them throws ends the agent with all that it started, and
 * `done` then rejects with it.
 */
export interface AgentListeners {
  /** Called before the engine does anything. */
  onStarted(process: AgentProcess): void;
  /** What the agent does, redacted. The transcript has it already, in the line with this number. */
  onEvent(event: Redacted<EngineEvent>, line: number): void;
  /** What the engine writes to stderr, redacted, up to a limit. */
  onStderr(text: Redacted<string>): void;
  /**
   * Called for each hook that the engine calls, once it is kept. The engine waits until it resolves, so that the folder can be looked at before a
   * call and after it; several calls may wait at once. What it rejects with is noted, and stops no agent.
   */
  onHook?(hook: AgentHook): Promise<void>;
  /** Asked before a result that the agent hands in counts: what it lacks, completing "the result …". The agent may hand in another. */
  onResult?(result: AgentResult): Promise<string | undefined>;
}

/** What an engine told by a hook. */
export interface AgentHook {
  /** One of `hookEvents`, or the engine's own name of one that is not known. */
  event: string;
  /** When Clew heard of it, ISO 8601. */
  at: string;
  /** Of one call of a tool, before and after it, and in the stream. */
  tool_use_id: string | null;
  fields: Redacted<Record<string, unknown>>;
  /** What Clew answered that the tool gets in place of its input; absent where it gets what was asked. */
  input?: Redacted<Record<string, unknown>>;
}

/** What finds an agent's process again after a crash. */
export interface AgentProcess {
  pid: number;
  /** When it started, as the system tells it: a pid alone may be another's by now. */
  started: string;
  /** The run of the machine that `pid` and `started` belong to. */
  boot: string;
  mark: string;
}

/** An agent at work. All that it tells is redacted. */
export interface AgentHandle {
  readonly id: string;
  /** The name of its transcript among those of its owner; undefined before it has started. */
  readonly transcript: string | undefined;
  /** The last ten, oldest first. */
  readonly activities: readonly Activity[];
  /** What it is at; undefined when it waits for a message or has ended. */
  readonly current: Activity | undefined;
  /** All that was used so far; undefined while the engine told nothing. */
  readonly usage: Usage | undefined;
  /** Exchanges with a model so far. */
  readonly rounds: number;
  /**
   * Gives it a further message. Throws a ClewError when the engine takes none, when it has ended or is being stopped, and
   * when it does not read. Returns before the engine has read it.
   */
  send(text: string): void;
  /** Answers a permission, once. Throws a ClewError when it is not waited for, when it has no such option, and as `send` does. */
  answer(permissionId: string, optionId: string, reason?: string): void;
  /** A permission that waits, so that it is known again when it is asked for anew: `isCall` compares. Undefined for one that does not wait. */
  fingerprint(permissionId: string): string | undefined;
  /** Whether a permission that waits is for the very call that a fingerprint was taken of, by this agent or another one. */
  isCall(permissionId: string, fingerprint: string): boolean;
  /**
   * Asks it to end: by an interrupt, where its engine takes one, and by SIGTERM when that does not help. One that waits
   * for a message loses nothing. Never throws; repeating it does nothing.
   */
  stop(): void;
  /** Ends it at once, by SIGKILL. Never throws; may be called at any time. */
  kill(): void;
  /** How it ended, when all its processes are gone. Rejects only with what a listener or the transcript threw. */
  readonly done: Promise<AgentEnd>;
}

export interface AgentEnd {
  /**
   * `completed`: the engine came to its end by itself, or waited for a message when it was stopped. `interrupted`: it was
   * stopped or killed at work. `failed`: anything else, also that it never started.
   */
  outcome: "completed" | "interrupted" | "failed";
  /** Whether the agent gave the result that prompts ask for; see `engine/result-instructions.ts`. */
  verdict: Verdict;
  /** Null when it was ended by a signal, or when there was nothing to start; 127 when its program could not be started. */
  exitCode: number | null;
  /** Why it failed, where its words tell, and what a person does about it. */
  problem?: { kind: EngineProblem; wayOut: string };
  /** With its cost, where the engine tells it or the price of the model is known. */
  usage?: Usage;
  rounds?: number;
  /** Processes that could not be ended: another user's, or stuck in the kernel. */
  left?: number[];
}
