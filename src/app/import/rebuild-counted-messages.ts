import type { Redact } from "../../contract/redacted.ts";
import type { TakenPart } from "../../session/engine-sessions.ts";
import type { ImportMemory, OwnedSession, TranscriptFile, Transcripts } from "./ports.ts";
import { TranscriptSource, type Reading } from "./source.ts";
import { ownerKey } from "./write-transcript.ts";

interface Parts {
  transcripts: Transcripts;
  memory: ImportMemory;
  redact: Redact;
  /** By `ownerKey`; null for what was deleted. */
  owned: ReadonlyMap<string, OwnedSession | null>;
}

/**
 * Where nothing is remembered, finds out which messages the sessions have counted already. Called before anything new is counted:
 * a copy of a message in another transcript must not count it again.
 */
export function rebuildCountedMessages(parts: Parts, files: TranscriptFile[]): void {
  const { memory, owned } = parts;
  if (!memory.isEmpty || ![...owned.values()].some((owner) => owner?.taken)) return;
  for (const file of files) claimIn(parts, new TranscriptSource(parts.transcripts, file));
}

function claimIn({ memory, owned, redact }: Parts, source: TranscriptSource): void {
  try {
    source.readHead();
    const key = ownerKey(source, redact);
    const taken = owned.get(key)?.taken;
    if (!taken) return;
    for (const reading of source.readings()) {
      if (!isTaken(reading, taken)) return;
      for (const event of reading.events) if (event.type === "usage") memory.counts(key, event.message_id);
    }
  } catch {
    // What is wrong with it is told when it is imported.
  } finally {
    source.close();
  }
}

/** A transcript that was rewritten goes by its times. */
function isTaken({ end, at }: Reading, { position, until }: TakenPart): boolean {
  return end <= position || (at !== undefined && until !== undefined && at <= until);
}
