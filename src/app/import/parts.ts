import type { SessionKind } from "../../contract/session-values.ts";
import type { RedactEncoded } from "../../contract/redacted.ts";
import type { PriceTable } from "../../engine/prices.ts";
import type { Progress } from "../search/projection.ts";
import type { SessionParts } from "../session/parts.ts";
import type { BulkRecords, ImportMemory, TranscriptFile, Transcripts } from "./ports.ts";

/** What kind of sessions transcripts become, and how those stand. */
export interface SessionForm {
  kind: SessionKind;
  /** How the session of a transcript stands now; undefined when it has ended, unless it was opened again in Clew. */
  statusOf: (file: TranscriptFile) => "active" | "completed" | undefined;
}

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
  /** What sessions are made; imports when absent. */
  sessionForm?: SessionForm;
  /** One import at a time. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
}
