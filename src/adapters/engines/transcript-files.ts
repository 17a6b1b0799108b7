import { join } from "node:path";
import type { AgentRequest } from "../../app/engine/agents.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Disk } from "../files/disk.ts";
import { trimOf } from "../../text/trim.ts";

/** Where the raw lines of engines are kept. */
export interface Transcripts {
  /** A transcript of its own for each start of an engine. */
  open(of: AgentRequest["transcript"], engine: string): Transcript;
  /** The text of one, in pieces; undefined when there is none. */
  read(owner: string, name: string): Iterable<Uint8Array> | undefined;
}

export interface Transcript {
  /** What it is called among those of its owner. */
  readonly name: string;
  /** Keeps these texts, one after the other; throws when that is not possible. */
  append(texts: readonly Redacted<string>[]): void;
}

/** A file system takes names of 255 bytes. */
const longestName = 100;
const pieceBytes = 1024 * 1024;
/** Names stand in session.md, which is anybody's text. */
const transcriptName = /^[A-Za-z0-9][\w.-]{0,250}\.jsonl$/;

/**
 * Transcripts as `FOLDER/OWNER/ENGINE-TIME-LABEL.jsonl`, for the user alone. Not synced: the journal holds what counts, and a
 * start that was cut short is made again, with a new file.
 */
export function transcriptFiles(folder: string, disk: Disk, nowMs: () => number): Transcripts {
  return {
    open({ owner, label }, engine) {
      const time = new Date(nowMs()).toISOString().replaceAll(":", "");
      const ownFolder = join(folder, owner);
      const name = `${fileName(engine)}-${time}-${fileName(label)}.jsonl`;
      const file = join(ownFolder, name);
      disk.makeFolder(ownFolder);
      return { name, append: (texts) => void disk.append(file, Buffer.from(texts.join("")), 0o600) };
    },
    read(owner, name) {
      const path = join(folder, owner, name);
      const size = transcriptName.test(name) ? disk.stamp(path)?.size : undefined;
      return size === undefined ? undefined : pieces(disk, path, size);
    },
  };
}

function* pieces(disk: Disk, path: string, size: number): Generator<Uint8Array> {
  for (let at = 0; at < size; at += pieceBytes) yield disk.readRange(path, at, Math.min(at + pieceBytes, size));
}

/** `quality-loop[2]/run-tests#1` as a name: the end tells more than the beginning. */
function fileName(text: string): string {
  return trimOf(text.replace(/[^A-Za-z0-9_]+/g, "-"), "-").slice(-longestName);
}
