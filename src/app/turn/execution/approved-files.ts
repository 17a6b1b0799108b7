import { ClewError } from "../../../contract/errors.ts";
import type { FileAction } from "../../../contract/plan.ts";
import type { LoggedAction } from "../../../contract/turn-report.ts";
import type { ActionOutcome } from "../../../turn/files/apply-action.ts";
import type { ActionEnd } from "./action-log.ts";
import type { FinalFiles } from "./final-files.ts";
import type { ExecutionParts } from "./parts.ts";
import { PlannedFiles } from "./planned-files.ts";
import { FilesChanged, type TurnJournal } from "./ports.ts";

interface BatchEntry {
  entry: LoggedAction;
  path: string;
}

/** What became of the actions of a batch. */
export interface BatchEnd {
  ends: { entry: LoggedAction; end: Pick<ActionEnd, "status" | "details"> }[];
  /** Why none of them was written; undefined when all were. */
  failure?: string;
}

/** File actions that are approved and not written yet. They are written as one. */
export class ApprovedFiles {
  readonly #parts: Pick<ExecutionParts, "files" | "sha256" | "time">;
  readonly #journal: TurnJournal;
  readonly #finalFiles: FinalFiles;
  #files: PlannedFiles;
  #entries: BatchEntry[] = [];
  #hasWritten = false;

  constructor(parts: Pick<ExecutionParts, "files" | "sha256" | "time">, journal: TurnJournal, finalFiles: FinalFiles) {
    this.#parts = parts;
    this.#journal = journal;
    this.#finalFiles = finalFiles;
    this.#files = this.#freshFiles();
  }

  /** Whether files were written, or may have been before that failed. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** What an action would make of its file, with all that is approved. */
  try(action: FileAction): ActionOutcome {
    return this.#files.try(action);
  }

  /** The same, and later actions see it. */
  apply(action: FileAction): ActionOutcome {
    return this.#files.apply(action);
  }

  /** An action that was applied is written with the others. */
  add(entry: LoggedAction, path: string): void {
    this.#entries.push({ entry, path });
  }

  /** Leaves all unwritten. Files are looked at anew from now on. */
  drop(): LoggedAction[] {
    this.#files = this.#freshFiles();
    return this.#entries.splice(0).map(({ entry }) => entry);
  }

  write(): BatchEnd {
    const writes = this.#files.writes();
    const batch = this.#entries;
    this.#entries = [];
    this.#files = this.#freshFiles();
    if (batch.length === 0) return { ends: [] };
    const begunMs = this.#parts.time.elapsedMs();
    try {
      if (writes.length > 0) this.#hasWritten = true;
      if (writes.length > 0) this.#journal.apply(writes, new Date(this.#parts.time.now()).toISOString());
      this.#finalFiles.applied(writes);
    } catch (error) {
      return failedBatch(batch, error);
    }
    for (const { entry } of batch) entry.duration_ms = Math.max(0, Math.round(this.#parts.time.elapsedMs() - begunMs));
    return { ends: batch.map(({ entry }) => ({ entry, end: { status: "SUCCESS" } })) };
  }

  #freshFiles(): PlannedFiles {
    return new PlannedFiles(this.#parts.files, this.#parts.sha256);
  }
}

/** All is as it was before the batch. */
function failedBatch(batch: BatchEntry[], error: unknown): BatchEnd {
  if (!(error instanceof FilesChanged) && !(error instanceof ClewError)) throw error;
  const isGuilty = ({ path }: BatchEntry, at: number): boolean =>
    error instanceof FilesChanged ? error.paths.includes(path) : at === 0;
  const reason = error instanceof FilesChanged ? "it changed after it was shown" : error.message;
  const failure = `${batch.find(isGuilty)?.path ?? "a file"}: ${reason}`;
  const ends = batch.map((each, at) => ({
    entry: each.entry,
    end: isGuilty(each, at)
      ? ({ status: "FAILURE", details: reason } as const)
      : ({ status: "SKIPPED", details: `not applied: ${failure}` } as const),
  }));
  return { ends, failure };
}
