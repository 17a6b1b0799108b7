import type { ResumeContext } from "../../contract/api/session-resume.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { choose, chooseAll, fitsDecisions } from "./choose.ts";
import { bareFrame, fullFrame, shortFrame, type ContextFrame } from "./frame.ts";
import { label } from "./label.ts";
import { omissionsOf, largestOmissions, leftOutText } from "./omissions.ts";
import { partsOf, type Parts } from "./parts.ts";
import { sectionText, type Section } from "./piece.ts";
import { Selection } from "./selection.ts";
import { estimateTokens } from "./tokens.ts";

/** In a session that does not fit, no text but a decision may take more than this part of the budget. */
const longTextShare = 0.1;

/**
 * Rebuilds an agent's context from the record. A session that fits is told whole; of one that does not, the recent
 * phases and every decision. Where decisions need the room, the words around them give way first, phases' headings among them,
 * then decisions are shortened; and when even that is too long, the budget is exceeded and the context says so. Deterministic; time grows with
 * the length of the session.
 */
export function resumeContext(document: SessionDocument, { budget }: { budget: number }): ResumeContext {
  // A text that is longer than the budget is cut here as well: it cannot fit in any case.
  const allParts = partsOf(document, budget);
  const wholeContext = compose(document, budget, allParts, chooseAll(allParts), fullFrame);
  if (wholeContext.tokens <= budget) return wholeContext;

  const parts = partsOf(document, Math.floor(budget * longTextShare));
  const roomIn = (frame: ContextFrame): number => budget - frameTokens(document, parts, frame);
  const frame = [fullFrame, shortFrame].find((each) => fitsDecisions(parts, roomIn(each))) ?? bareFrame;
  const isBare = frame.decisionsHeading !== undefined;
  const selection = choose(parts, roomIn(frame), label(document.frontmatter.session_id, 40), isBare);
  return compose(document, budget, parts, selection, frame);
}

/** Tokens of all that is no part of the record, with the longest sentences on what was left out. */
function frameTokens(document: SessionDocument, parts: Parts, frame: ContextFrame): number {
  const lack = largestOmissions(omissionsOf(document, parts, new Selection(0)));
  const sentences = frame.sentences(lack, document.frontmatter.session_id);
  const { decisionsHeading = "", phasesHeading } = frame;
  return [frame.head(document), leftOutText(sentences), decisionsHeading, phasesHeading, frame.goOn(document)]
    .map(estimateTokens)
    .reduce((sum, tokens) => sum + tokens, 0);
}

function compose(
  document: SessionDocument,
  budget: number,
  parts: Parts,
  selection: Selection,
  frame: ContextFrame,
): ResumeContext {
  const lack = omissionsOf(document, parts, selection);
  const show = (section: Section): string => {
    const texts = section.pieces.map((piece) => selection.textOf(piece)).filter((text) => text !== undefined);
    return selection.isListed(section) ? sectionText(section, texts) : "";
  };
  const decisionTexts = parts.phases
    .filter((phase) => !selection.isListed(phase))
    .flatMap(({ pieces }) => pieces.map((piece) => selection.textOf(piece)).filter((text) => text !== undefined));
  const textWith = (sentences: string[]): string =>
    [
      frame.head(document),
      leftOutText(sentences),
      decisionTexts.length === 0 ? "" : `${frame.decisionsHeading}${decisionTexts.map((text) => `\n${text}`).join("")}`,
      show(parts.tasks),
      show(parts.preamble),
      frame.phasesHeading,
      ...parts.phases.map(show),
      show(parts.summary),
      frame.goOn(document),
    ].join("");
  let sentences = frame.sentences(lack, document.frontmatter.session_id);
  let text = textWith(sentences);
  if (estimateTokens(text) > budget) {
    sentences = frame.sentences({ ...lack, exceeded: budget }, document.frontmatter.session_id);
    text = textWith(sentences);
  }
  return {
    text,
    tokens: estimateTokens(text),
    budget,
    phases_kept: lack.phasesWhole,
    phases_total: document.phases.length,
    left_out: sentences,
    decisions_kept: lack.decisions,
    decisions_shortened: lack.decisionsShortened,
  };
}
