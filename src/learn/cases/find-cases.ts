import { caseTypes, type CaseType, type ExclusionReason } from "../../contract/learn-values.ts";
import type { ExcludedCase, LearningCase } from "../../contract/api/learn.ts";
import { correctionAt, noCorrection } from "./corrections.ts";
import { failureText } from "./failure-text.ts";
import { LaterPasses } from "./later-passes.ts";
import { noiseIn } from "./noise.ts";
import type { PlacedSession, SessionText } from "./placed-session.ts";
import { failureFrom, puzzleFrom } from "./puzzles.ts";
import { firstWords } from "./short-entry.ts";

export type CaseOrExclusion = { case: LearningCase } | { excluded: ExcludedCase };

export interface CaseFilter {
  /** Both when it is undefined. */
  type: CaseType | undefined;
  /** Whether what stands at an entry is meant; all is when it is undefined. */
  accepts: ((session: PlacedSession, at: number) => boolean) | undefined;
}

/** What one session teaches, in the order of its text. Pure: the same text gives the same cases. */
export function* findCases(session: PlacedSession, { type, accepts }: CaseFilter): Generator<CaseOrExclusion> {
  const filtered = (at: number): "filtered" | undefined => (accepts?.(session, at) === false ? "filtered" : undefined);
  const passes = new LaterPasses(session);
  for (let at = 0; at < session.entries.length; at++) {
    const { entry } = session.entries[at]!;
    if (entry.kind === "user" && type !== "puzzle") {
      const own = noCorrection(session, at);
      if (own === "beginning" || own === "goes_on") continue;
      const reason = filtered(at) ?? own;
      if (reason === undefined) yield { case: correctionAt(session, at) };
      else yield exclusion(session, { at, type: "correction", reason, text: entry.text });
      continue;
    }
    const failure = type === "correction" ? [] : failureFrom(session, at);
    if (failure.length === 0) continue;
    const text = failure.map((each) => failureText(session.entries[each]!.entry)).join("\n");
    const reason = filtered(at) ?? noiseIn(text) ?? (passes.isUnchangedRetry(at) ? "transient" : undefined);
    if (reason === undefined) yield { case: puzzleFrom(session, failure, passes) };
    else yield exclusion(session, { at, type: "puzzle", reason, text });
    at = failure.at(-1)!;
  }
}

/** Whether a text can hold any case: most sessions need not be read further. */
export function mayTeach(
  { text, bodyStart }: Pick<SessionText, "text" | "bodyStart">,
  type: CaseType | undefined,
): boolean {
  const types = type === undefined ? caseTypes : [type];
  return types.some((each) => marks[each].some((mark) => text.includes(mark, bodyStart)));
}

/** What stands in every text with a case of the type. */
const marks: Record<CaseType, string[]> = { puzzle: ["[!error]", "→ ✗"], correction: ["[!user]"] };

interface ExcludedPlace {
  at: number;
  type: CaseType;
  reason: ExclusionReason;
  text: string;
}

function exclusion(session: PlacedSession, { at, type, reason, text }: ExcludedPlace): CaseOrExclusion {
  const { session_id } = session.frontmatter;
  return { excluded: { session: session_id, line: session.lineOf(at), type, reason, text: firstWords(text) } };
}
