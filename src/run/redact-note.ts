import type { TaskNote } from "../contract/run-journal.ts";

/** What steps print is redacted as it comes; what a handler says in its own words may name files, whose names are anybody's. */
export function redactNote(note: TaskNote, redact: <T>(value: T) => T): TaskNote {
  return note.type === "step.warning" || note.type === "merge.verified" ? redact(note) : note;
}
