import type { ExcludedCase, LearningCase } from "../../contract/api/learn.ts";
import type { ExclusionReason } from "../../contract/learn-values.ts";
import { failureText } from "../../learn/cases/failure-text.ts";
import { firstWords } from "../../learn/cases/short-entry.ts";

/** A case that is no part of what is shown or written. */
export function excludeCase(found: LearningCase, reason: ExclusionReason, of?: string): ExcludedCase {
  const { entry, line } = found.type === "puzzle" ? found.failure[0]! : found.words;
  const text = entry.kind === "user" ? entry.text : failureText(entry);
  const { session } = found.metadata;
  return { session, line, type: found.type, reason, text: firstWords(text), ...(of !== undefined && { of }) };
}
