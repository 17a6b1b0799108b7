import type { AgentFacts, Rehydration } from "../../contract/rehydration.ts";
import { estimateTokens } from "../resume/tokens.ts";
import { fitShares, type Fitted, type Piece, type Share } from "./fit.ts";
import { bareText, evidenceText, factsText, noteText, questionText, taskText } from "./facts-text.ts";
import { budgetCutSentences, type ShareName } from "./budget-cuts.ts";

/** Engines cut longer contexts of hooks off: Claude Code takes 10,000 characters, and three are a token here at most. */
const defaultRehydrationBudget = 3000;
/** Less has no room for what names the work. */
const minRehydrationBudget = 400;
/** Of each list, so many are looked at: no budget has room for more. */
const maxPieces = 200;

/**
 * Where an agent stands, within a budget of tokens: what names its work always, the token and the next step with it; of lists the
 * newest, as far as there is room. Deterministic. What was logged is data: it stands quoted, and can imitate nothing around it.
 */
export function rehydrate(facts: AgentFacts, budget = defaultRehydrationBudget): Rehydration {
  const room = Math.max(budget, minRehydrationBudget) - estimateTokens(bareText(facts)) - reservedTokens;
  const fitted = fitShares(sharesOf(facts), Math.max(room, 0));
  const shown: AgentFacts = {
    ...facts,
    ...(facts.prompt !== undefined && { prompt: fitted.prompt.texts[0] ?? "…" }),
    decisions: fitted.decisions.texts.toReversed(),
    progress: fitted.progress.texts.toReversed(),
    tasks: newestOf(facts.tasks, fitted.tasks, (task, content) => ({ ...task, content })),
    notes: newestOf(facts.notes, fitted.notes, (note, text) => ({ ...note, text })),
    open_decisions: newestOf(facts.open_decisions, fitted.open_decisions, (each, text) => ({ ...each, text })),
    missing_evidence: newestOf(facts.missing_evidence, fitted.missing_evidence, (each, message) => ({
      ...each,
      message,
    })),
  };
  const left_out = budgetCutSentences(facts, fitted);
  const text = factsText(shown, left_out);
  return { ...shown, left_out, text, tokens: estimateTokens(text), budget };
}

/** For headings, and sentences on what was left out. */
const reservedTokens = 250;

function sharesOf(facts: AgentFacts): Record<ShareName, Share> {
  const { missing_evidence, prompt, open_decisions, decisions, notes, tasks, progress } = facts;
  const plain = (text: string): Piece => ({ text, beside: "" });
  return {
    missing_evidence: {
      ...newest(missing_evidence, (each) => ({
        text: each.message,
        beside: evidenceText({ ...each, message: "" }),
      })),
      part: 0.15,
      longest: 0.1,
    },
    prompt: { ...newest(prompt === undefined ? [] : [prompt], plain), part: 0.3, longest: 0.25 },
    open_decisions: {
      ...newest(open_decisions, (each) => ({ text: each.text, beside: questionText({ ...each, text: "" }) })),
      part: 0.1,
      longest: 0.1,
    },
    decisions: { ...newest(decisions, plain), part: 0.15, longest: 0.1 },
    notes: {
      ...newest(notes, (each) => ({ text: each.text, beside: noteText({ ...each, text: "" }) })),
      part: 0.2,
      longest: 0.15,
    },
    tasks: {
      ...newest(tasks, (each) => ({ text: each.content, beside: taskText({ ...each, content: "" }) })),
      part: 0.05,
      longest: 0.03,
    },
    progress: { ...newest(progress, plain), part: 0.05, longest: 0.05 },
  };
}

function newest<T>(list: readonly T[], toPiece: (each: T) => Piece): Pick<Share, "pieces" | "total"> {
  return { pieces: list.slice(-maxPieces).toReversed().map(toPiece), total: list.length };
}

/** The newest of a list, with the texts that are left of them, oldest first. */
function newestOf<T>(list: readonly T[], { texts }: Fitted, withText: (each: T, text: string) => T): T[] {
  return texts.map((text, back) => withText(list[list.length - 1 - back]!, text)).toReversed();
}
