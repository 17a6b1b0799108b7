import type { CaseType, LeftOutReason } from "../../contract/learn-values.ts";
import type { LearningCase, LeftOut } from "../../contract/api/learn.ts";
import { correctionAt, noCorrection } from "./corrections.ts";
import { failureText } from "./failure-text.ts";
import { LaterPasses } from "./later-passes.ts";
import { noiseIn } from "./noise.ts";
import type { PlacedSession, SessionText } from "./placed-session.ts";
import { failureFrom, puzzleFrom } from "./puzzles.ts";
import { firstWords } from "./short-entry.ts";

export type Found = { case: LearningCase; at: readonly number[] } | { leftOut: LeftOut };

/** What one session teaches, in the order of its text. Pure: the same text gives the same cases. */
export function* findCases(session: PlacedSession, wanted: CaseType | undefined): Generator<Found> {
  const passes = new LaterPasses(session);
  for (let at = 0; at < session.entries.length; at++) {
    const { entry } = session.entries[at]!;
    if (entry.kind === "user" && wanted !== "puzzle") {
      const reason = noCorrection(session, at);
      if (reason === "beginning" || reason === "goes_on") continue;
      if (reason === undefined) yield { case: correctionAt(session, at), at: [at] };
      else yield leftOut(session, { at, type: "correction", reason, text: entry.text });
      continue;
    }
    const failure = wanted === "correction" ? [] : failureFrom(session, at);
    if (failure.length === 0) continue;
    const text = failure.map((each) => failureText(session.entries[each]!.entry)).join("\n");
    const reason = noiseIn(text) ?? (passes.isUnchangedRetry(at) ? "transient" : undefined);
    if (reason === undefined) yield { case: puzzleFrom(session, failure, passes), at: failure };
    else yield leftOut(session, { at, type: "puzzle", reason, text });
    at = failure.at(-1)!;
  }
}

/** Whether a text can hold any case: most sessions need not be read further. */
export function mayTeach({ text, bodyStart }: Pick<SessionText, "text" | "bodyStart">): boolean {
  return ["[!user]", "[!error]", "→ ✗"].some((mark) => text.includes(mark, bodyStart));
}

interface LeftOutPlace {
  at: number;
  type: CaseType;
  reason: LeftOutReason;
  text: string;
}

function leftOut(session: PlacedSession, { at, type, reason, text }: LeftOutPlace): Found {
  const { session_id } = session.frontmatter;
  return { leftOut: { session: session_id, line: session.lineOf(at), type, reason, text: firstWords(text) } };
}
