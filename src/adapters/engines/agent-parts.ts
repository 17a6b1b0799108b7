import type { ResultTools } from "../../app/engine/result-tool.ts";
import type { PriceTable } from "../../engine/prices.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { AgentTimeouts } from "./agent-limits.ts";
import type { Engine } from "./engine.ts";
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
  timeouts?: Partial<AgentTimeouts>;
  /** An engine that prints more is ended. */
  maxOutputBytes?: number;
  /** The usual prices when absent. */
  loadPrices?: () => Promise<PriceTable>;
}
