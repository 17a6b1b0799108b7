import type { Phase, QuestionEntry } from "../../contract/session.ts";

/** What still waits for a person. */
export function unansweredQuestions(phases: Phase[]): QuestionEntry[] {
  const entries = phases.flatMap((phase) => phase.entries);
  const answeredIds = new Set(entries.map((entry) => (entry.kind === "answer" ? entry.id : undefined)));
  return entries.filter(
    (entry) =>
      (entry.kind === "decision_needed" || entry.kind === "approval_required") &&
      (entry.id === undefined || !answeredIds.has(entry.id)),
  ) as QuestionEntry[];
}
