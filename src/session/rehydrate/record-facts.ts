import type { AgentFacts } from "../../contract/rehydration.ts";
import type { Entry, SessionDocument } from "../../contract/session.ts";
import { unansweredQuestions } from "../resume/questions.ts";
import { asOneLine } from "../text.ts";

type RecordFacts = Pick<AgentFacts, "phase" | "tasks" | "notes" | "decisions" | "open_decisions" | "progress">;

interface About {
  /** Only notes of this time and later. */
  since?: string | undefined;
  /** Which phases tell of the work at hand; without it the last one. */
  phase?: ((title: string) => boolean) | undefined;
}

/** So many of the last words and calls are told at most. */
const maxProgress = 6;

/** What a session's record tells its agent: what was decided, noted and asked, and what was done last. */
export function recordFacts(document: SessionDocument, { since = "", phase: isAbout }: About): RecordFacts {
  const { phases, tasks, breadcrumbs = [] } = document;
  const last = phases.at(-1);
  const own = isAbout ? phases.filter(({ title }) => isAbout(title)) : phases.slice(-1);
  return {
    ...(last && { phase: last.title }),
    tasks: tasks
      .filter(({ status }) => status !== "completed")
      .map(({ id, content, status }) => ({ id, content, status })),
    notes: breadcrumbs
      .filter(({ kind, timestamp }) => kind !== "round" && timestamp >= since)
      .map(({ timestamp, kind, response = "", files_modified: files }) => ({
        at: timestamp,
        kind,
        text: response,
        ...(files && { files }),
      })),
    decisions: decisionsIn(phases.flatMap(({ entries }) => entries)),
    open_decisions: unansweredQuestions(phases).map(({ id, kind, text }) => ({
      ...(id !== undefined && { id }),
      kind,
      text,
    })),
    progress: own
      .flatMap(({ entries }) => entries)
      .flatMap(progressOf)
      .slice(-maxProgress),
  };
}

/** What was decided, and what a person answered. */
function decisionsIn(entries: readonly Entry[]): string[] {
  const questions = new Map<string, string>();
  return entries.flatMap((entry) => {
    if (entry.kind === "decision") return [entry.text];
    if (entry.kind === "decision_needed" && entry.id !== undefined) questions.set(entry.id, entry.text);
    const question = entry.kind === "answer" ? questions.get(entry.id) : undefined;
    return entry.kind === "answer" && question !== undefined ? [`${question}\nA person answered: ${entry.text}`] : [];
  });
}

function progressOf(entry: Entry): string[] {
  switch (entry.kind) {
    case "text":
      return [`said: ${entry.text}`];
    case "tool":
      return [asOneLine(`called: ${entry.name} ${entry.args}${entry.failed ? " (failed)" : ""}`)];
    case "error":
      return [`failed: ${entry.text}`];
    case "user":
      return [`a person said: ${entry.text}`];
    case "note":
      return [`a person noted: ${entry.text}`];
    default:
      return [];
  }
}
