import { join } from "node:path";
import { addressText, type StepAddress } from "../../contract/run.ts";
import type { Disk } from "../files/disk.ts";
import { trimOf } from "../../contract/trim.ts";

/** Where the raw lines of engines are kept. */
export interface Transcripts {
  /** A transcript of its own for each start of an engine. */
  open(runId: string, step: StepAddress, engine: string): Transcript;
}

export interface Transcript {
  /** Keeps one line; throws when that is not possible. */
  append(line: string): void;
}

/** A file system takes names of 255 bytes. */
const longestStepName = 100;

/**
 * Transcripts as `FOLDER/RUN/ENGINE-TIME-STEP.jsonl`, for the user alone. Not synced: the journal holds what counts, and a
 * start that was cut short is made again, with a new file.
 */
export function transcriptFiles(folder: string, disk: Disk, nowMs: () => number): Transcripts {
  return {
    open(runId, step, engine) {
      const time = new Date(nowMs()).toISOString().replaceAll(":", "");
      const runFolder = join(folder, runId);
      const file = join(runFolder, `${fileName(engine)}-${time}-${fileName(addressText(step))}.jsonl`);
      disk.makeFolder(runFolder);
      return { append: (line) => void disk.append(file, Buffer.from(`${line}\n`), 0o600) };
    },
  };
}

/** `quality-loop[2]/run-tests#1` as a name: the end tells more than the beginning. */
function fileName(text: string): string {
  return trimOf(text.replace(/[^A-Za-z0-9_]+/g, "-"), "-").slice(-longestStepName);
}
