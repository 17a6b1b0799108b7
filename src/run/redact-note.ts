import { assumeRedacted, ofRedactedParts, type Redacted, type RedactValue } from "../contract/redacted.ts";
import type { HandlerNote, StreamNote, WorkNote } from "../contract/run-journal.ts";

/**
 * What a handler logs, as it may be written. What steps print is redacted as it comes; what a handler says in its own
 * words may name files, whose names may hold secrets. Branches, commits and processes have to be found again by these very names.
 */
export function redactNote(note: HandlerNote, redact: RedactValue): Redacted<WorkNote> {
  const isOwnWords = note.type === "step.warning" || note.type === "step.note" || note.type === "merge.verified";
  return isOwnWords ? redact(note) : assumeRedacted<WorkNote>(note);
}

export function outputNote(stream: "stdout" | "stderr", text: Redacted<string>): Redacted<StreamNote> {
  return ofRedactedParts({ type: "step.output", stream, text });
}
