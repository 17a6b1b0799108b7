import type { CaseSelection } from "../../../contract/api/learn.ts";
import type { LearnFormat } from "../../../contract/learn-values.ts";

/** What is exported, in which form, and where to. */
export interface ExportRequest extends CaseSelection {
  format: LearnFormat;
  output?: string | undefined;
  image?: string | undefined;
  check?: boolean | undefined;
  /** Ends it: nothing of it stays then. */
  signal: AbortSignal;
}
