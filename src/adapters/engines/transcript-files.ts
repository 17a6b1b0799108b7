import { dirname } from "node:path";
import type { AgentRequest } from "../../app/engine/agents.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Disk } from "../files/disk.ts";
import { transcriptPaths } from "../layout/session-paths.ts";

/** Where the raw lines of engines are kept. */
export interface TranscriptFiles {
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

const pieceBytes = 1024 * 1024;

/**
 * Transcripts as files, for the user alone. Their lines are not synced: the journal holds what counts, and a start that was cut
 * short is made again, with a new file. No two starts share one, also where a clock stands still.
 */
export function transcriptFiles(folder: string, disk: Disk, nowMs: () => number): TranscriptFiles {
  return {
    open({ owner, label }, engine) {
      const atMs = nowMs();
      for (let number = 1; ; number++) {
        const name = transcriptPaths.name(engine, atMs, label, number);
        const file = transcriptPaths.file(folder, owner, name);
        disk.makeFolder(dirname(file));
        if (!disk.create(file, new Uint8Array(), 0o600)) continue;
        return { name, append: (texts) => void disk.append(file, Buffer.from(texts.join("")), 0o600) };
      }
    },
    read(owner, name) {
      if (!transcriptPaths.isName(name)) return undefined;
      const path = transcriptPaths.file(folder, owner, name);
      const size = disk.stamp(path)?.size;
      return size === undefined ? undefined : pieces(disk, path, size);
    },
  };
}

function* pieces(disk: Disk, path: string, size: number): Generator<Uint8Array> {
  for (let at = 0; at < size; at += pieceBytes) yield disk.readRange(path, at, Math.min(at + pieceBytes, size));
}
