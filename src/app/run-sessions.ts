import type { SessionRecords } from "./ports.ts";
import type { JournalLine } from "../contract/run-journal.ts";

/** The sessions of runs: each projected from its run's journal. */
export interface RunSessions {
  /** Whether a session of that name exists, whoever's it is. */
  isTaken(id: string): boolean;
  /** Makes the session of a new run, so that all of its steps can be told of it. Never throws. */
  begin(runId: string): Promise<void>;
  of(runId: string): RunSession;
  /** The session of a run, by its usual name; undefined while there is none. */
  idOf(runId: string): string | undefined;
}

/** Follows one run. */
export interface RunSession {
  /** A line was written to the journal. Returns at once; what is made of it is written soon. */
  add(line: JournalLine): void;
  /** All that was added stands in the session when this resolves. Never throws: a run does not fail for its record. */
  close(): Promise<void>;
}

/** The runs whose session this may be, by its name: a session is called like its run, unless another was so before. */
export function possibleRuns(sessionId: string): string[] {
  return [...new Set([sessionId, sessionId.replace(/-\d+$/, "")])];
}

/** The run whose session this is, and its bead. Most are none's, which is seen without reading them. */
export async function runOfSession(
  { records, isRun }: { records: Pick<SessionRecords, "exists" | "read">; isRun: (id: string) => boolean },
  sessionId: string,
): Promise<{ run: string; bead: string } | undefined> {
  if (!possibleRuns(sessionId).some(isRun) || !records.exists(sessionId)) return undefined;
  const { run, bead } = (await records.read(sessionId)).frontmatter;
  return typeof run === "string" && typeof bead === "string" ? { run, bead } : undefined;
}

/** A run that waits for a person. */
export interface RunWait {
  runId: string;
  /** It waits for approval; otherwise somebody has to help. */
  isReview: boolean;
  /** A person may ask for changes. */
  takesChanges: boolean;
  /** What can be done, as commands. */
  actions: string[];
}
