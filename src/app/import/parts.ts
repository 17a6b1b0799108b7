import type { RedactEncoded } from "../../contract/redacted.ts";
import type { PriceTable } from "../../engine/prices.ts";
import type { Progress } from "../search/projection.ts";
import type { SessionParts } from "../session/parts.ts";
import type { BulkRecords, ImportMemory, Transcripts } from "./ports.ts";

/** What an import needs. */
export interface ImportParts {
  sessions: SessionParts;
  transcripts: Transcripts;
  bulk: BulkRecords;
  /** Read anew for each import. */
  memory: () => ImportMemory;
  prices: () => Promise<PriceTable>;
  redactEncoded: () => Promise<RedactEncoded>;
  progress: Progress;
  /** One import at a time. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
}
