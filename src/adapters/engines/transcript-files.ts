import { join } from "node:path";
import type { AgentRequest } from "../../app/engine/agents.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Disk } from "../files/disk.ts";
import { trimOf } from "../../text/trim.ts";

/** Where the raw lines of engines are kept. */
export interface Transcripts {
  /** A transcript of its own for each start of an engine. */
  open(of: AgentRequest["transcript"], engine: string): Transcript;
}

export interface Transcript {
  /** Keeps these texts, one after the other; throws when that is not possible. */
  append(texts: readonly Redacted<string>[]): void;
}

/** A file system takes names of 255 bytes. */
const longestName = 100;

/**
 * Transcripts as `FOLDER/OWNER/ENGINE-TIME-LABEL.jsonl`, for the user alone. Not synced: the journal holds what counts, and a
 * start that was cut short is made again, with a new file.
 */
export function transcriptFiles(folder: string, disk: Disk, nowMs: () => number): Transcripts {
  return {
    open({ owner, label }, engine) {
      const time = new Date(nowMs()).toISOString().replaceAll(":", "");
      const ownFolder = join(folder, owner);
      const file = join(ownFolder, `${fileName(engine)}-${time}-${fileName(label)}.jsonl`);
      disk.makeFolder(ownFolder);
      return { append: (texts) => void disk.append(file, Buffer.from(texts.join("")), 0o600) };
    },
  };
}

/** `quality-loop[2]/run-tests#1` as a name: the end tells more than the beginning. */
function fileName(text: string): string {
  return trimOf(text.replace(/[^A-Za-z0-9_]+/g, "-"), "-").slice(-longestName);
}
