import { asLine } from "./as-line.ts";
import { onlyRuns, type PhaseWork } from "./phase-work.ts";

/** Words of approval, and those that may stand beside them: `great, thanks`, `looks good to me`. */
const approval =
  "ok okay yes yep great good nice perfect cool awesome excellent super wonderful thanks thank thx cheers lgtm fine";
const beside = "well done job looks to me that this works so much very a lot all it is you work now";
const approvalWords: ReadonlySet<string> = new Set(approval.split(" "));
const chatterWords: ReadonlySet<string> = new Set([...approvalWords, ...beside.split(" ")]);

/** Words that take up what was done just before. */
const correcting =
  /^\W*(?:no|nope|don['’]?t|do not|stop|wait|actually|instead|rather|not (?:like|so|that|this)|wrong|undo|revert)(?![\w-])/i;

/**
 * Phases of which a person's words alone made the title, as engines' transcripts have them: a correction belongs to the work before
 * it, and what asks for nothing, with no work behind it, is left out.
 */
export function foldPhases(phases: readonly PhaseWork[]): PhaseWork[] {
  const folded: PhaseWork[] = [];
  for (const phase of phases) {
    const before = folded.at(-1);
    if (isChatter(phase)) continue;
    if (before && isCorrection(phase) && before.agent === phase.agent && !onlyRuns(before))
      folded[folded.length - 1] = joined(before, phase);
    else folded.push(phase);
  }
  return folded;
}

function isChatter(phase: PhaseWork): boolean {
  const { commands, usedTools, decided, approvals, asked, failures, delegated } = phase;
  const isIdle = [commands, decided, approvals, failures, delegated].every(({ length }) => length === 0) && !usedTools;
  return isIdle && asked.length > 0 && asked.every(asksForNothing);
}

function asksForNothing(text: string): boolean {
  if (text.length > 200) return false;
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => approvalWords.has(word)) && words.every((word) => chatterWords.has(word));
}

function isCorrection({ title, asked, approvals }: PhaseWork): boolean {
  const [first] = asked;
  if (first === undefined || approvals.length > 0 || !correcting.test(first)) return false;
  return asLine(first).startsWith(asLine(title).replace(/…$/, "").trimEnd());
}

/** Two phases as one, under the title of the first. */
function joined(a: PhaseWork, b: PhaseWork): PhaseWork {
  return {
    ...a,
    commands: [...a.commands, ...b.commands],
    wrote: [...new Set([...a.wrote, ...b.wrote])],
    read: [...new Set([...a.read, ...b.read])],
    usedTools: a.usedTools || b.usedTools,
    asked: [...a.asked, ...b.asked],
    decided: [...a.decided, ...b.decided],
    failures: [...a.failures, ...b.failures],
    outcome: b.outcome ?? a.outcome,
    said: a.said || b.said,
    delegated: [...a.delegated, ...b.delegated],
    calls: [...a.calls, ...b.calls],
  };
}
