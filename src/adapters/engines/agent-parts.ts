import type { HookAnswerer } from "../../app/hook/answer.ts";
import type { ResultTools } from "../../app/engine/result-tool.ts";
import type { HandedInResults } from "../../app/run/connected/ports.ts";
import type { AgentPolicy } from "../../app/policy/agent-policy.ts";
import type { PinnedRule } from "../../contract/pinned-run.ts";
import type { PriceTable } from "../../engine/prices.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { AgentTimeouts } from "./agent-limits.ts";
import type { Engine } from "./engine.ts";
import type { HookDeskParts } from "./hook-desk.ts";
import type { TranscriptFiles } from "./transcript-files.ts";

/** What agents need, and what reads their transcripts again. */
export interface EngineAgentParts {
  engines: readonly Engine[];
  redactor: Redactor;
  transcripts: TranscriptFiles;
  /** The environment that all engines inherit. */
  env: Record<string, string | undefined>;
  newId: () => string;
  /** Loaded with the first agent that hands in a result. */
  resultTools?: () => Promise<ResultTools>;
  /** Keeps what agents tell their hooks; without it they have none. */
  hooks?: Omit<HookDeskParts, "redactor" | "answerHook">;
  /** What agents are held to when they ask for a permission; loaded with the first of them. */
  policy?: (held?: readonly PinnedRule[]) => Promise<AgentPolicy>;
  /** What hooks are answered; nothing when absent. */
  answerHook?: HookAnswerer;
  /** Where connected agents hand in; without it there are none. */
  handedIn?: Pick<HandedInResults, "wait">;
  timeouts?: Partial<AgentTimeouts>;
  /** An engine that prints more is ended. */
  maxOutputBytes?: number;
  /** The usual prices when absent. */
  loadPrices?: () => Promise<PriceTable>;
}
