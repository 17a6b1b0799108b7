import type { Phase } from "../../contract/session.ts";

/** The phases of a session of turns whose work stands: without turns that were undone, the undoing, and the making of branches. */
export function standingPhases(phases: readonly Phase[], note: (text: string) => void): Phase[] {
  const standing: Phase[] = [];
  for (const phase of phases) {
    const undone = /^Undo (\S+)$/.exec(phase.title)?.[1];
    if (undone === undefined) {
      if (!/^Branch \S+$/.test(phase.title)) standing.push(phase);
      continue;
    }
    note(`the turn ${undone} was undone: no step is made of it`);
    for (let at = standing.length - 1; at >= 0; at--) if (turnOf(standing[at]!) === undone) standing.splice(at, 1);
  }
  return standing;
}

/** `Plan 01: a title` and `Execute 01: a title` are of the turn 01. */
function turnOf({ title }: Phase): string | undefined {
  return /^(?:Plan|Execute) ([^\s:]+)(?=:|$)/.exec(title)?.[1];
}
