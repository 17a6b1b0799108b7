import type { MissingEvidence } from "../../contract/evidence-values.ts";
import type { CallerLine, GivenLine, RehydrationLine } from "../../contract/rehydration.ts";
import type { Redacted } from "../../contract/redacted.ts";

/** What a run's step still has to show before it may end. */
export type MissingEvidenceOf = (runId: string) => Promise<MissingEvidence[]>;

/** Who called a tool of Clew's, as far as the engine tells. */
export type ToolCaller = Pick<CallerLine, "engine" | "engine_session" | "tool_use_id">;

/** What was told to whom, by run or by session where there is no run. Each function throws when the disk refuses. */
export interface RehydrationLog {
  /** It is on disk when this returns. */
  add(owner: string, line: Redacted<RehydrationLine>): void;
  /** Oldest first; none when nothing was ever told. Lines that cannot be read are passed over. */
  lines(owner: string): RehydrationLine[];
}

/** Whether an engine session has made one of these calls, as its hooks told. */
export type HasMadeCall = (engine: string, session: string, toolUseIds: readonly string[]) => boolean;

/** What was given and has no receipt yet, oldest first. */
export function withoutReceipt(lines: readonly RehydrationLine[]): GivenLine[] {
  const received = new Set(lines.flatMap((line) => (line.type === "receipt" ? [line.id] : [])));
  return lines.filter((line): line is GivenLine => line.type === "given" && !received.has(line.id));
}
