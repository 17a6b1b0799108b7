import { caseTypes, type CaseType, type ExclusionReason } from "../../contract/learn-values.ts";
import type { LearningCase, ExcludedCase, Piece } from "../../contract/api/learn.ts";
import { Corrections } from "./corrections.ts";
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
  const corrections = type === "puzzle" ? undefined : new Corrections(session);
  for (let at = 0; at < session.entries.length; at++) {
    const { entry } = session.entries[at]!;
    if (entry.kind === "user" && corrections) {
      const own = corrections.refusal(at);
      if (own === "beginning" || own === "goes_on") continue;
      const reason = filtered(at) ?? own;
      if (reason === undefined) yield { case: corrections.caseAt(at) };
      else yield exclusion(session, { at, type: "correction", reason, text: textOf(session.piece(at)) });
      continue;
    }
    const failure = type === "correction" ? [] : failureFrom(session, at);
    if (failure.length === 0) continue;
    const text = failure.map((each) => session.failureText(each)).join("\n");
    const reason = filtered(at) ?? noiseIn(text) ?? (passes.isUnchangedRetry(at) ? "transient" : undefined);
    if (reason === undefined) yield { case: puzzleFrom(session, failure, passes) };
    else yield exclusion(session, { at, type: "puzzle", reason, text: textOf(session.failurePiece(at)) });
    at = failure.at(-1)!;
  }
}

/** Whether a text can hold any case: most sessions need not be read further. */
export function mayTeach(
  { text, bodyStart }: Pick<SessionText, "text" | "bodyStart">,
  wanted: CaseType | undefined,
): boolean {
  const types = wanted === undefined ? caseTypes : [wanted];
  return types.some((type) => marks[type].some((mark) => text.includes(mark, bodyStart)));
}

/** What stands in every text with a case of the type. */
const marks: Record<CaseType, string[]> = { puzzle: ["[!error]", "→ ✗"], correction: ["[!user]"] };

/** What a user said, or a failure of itself. */
function textOf({ entry }: Piece): string {
  return entry.kind === "user" ? entry.text : failureText(entry);
}

interface ExclusionPlace {
  at: number;
  type: CaseType;
  reason: ExclusionReason;
  text: string;
}

function exclusion(session: PlacedSession, { at, type, reason, text }: ExclusionPlace): CaseOrExclusion {
  const { session_id } = session.frontmatter;
  return { excluded: { session: session_id, line: session.lineOf(at), type, reason, text: firstWords(text) } };
}
