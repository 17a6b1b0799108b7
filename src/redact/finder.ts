import type { SecretRule } from "./rule.ts";
import { createTrigger, type Hint } from "./trigger.ts";

/** A secret in a text, and the mark that takes its place. */
export interface Match {
  start: number;
  end: number;
  mark: string;
  /** Place of its rule in the table. */
  rank: number;
}

/** What a pass over one text remembers, so that it may go on in pieces. Positions count from the text's beginning. */
interface Pass {
  /** Where each rule's last match ended: within it the rule is not tried again. */
  doneUntil: number[];
  /** Where the matches of late ended. */
  ends: number[];
}

/**
 * A pattern sees this much of the text from its hint on, and this much before it; never more, also when more is there.
 * So what it finds is the same in a whole text and in a stream, whatever the pattern.
 */
export const lookAhead = 16_384;
export const lookBehind = 256;

const markBegin = "[redacted:";
/** A dash or an underscore before a secret is no part of it: `token-ghp_…`. */
const wordChar = /[A-Za-z0-9]/;
/** Letters that belong to an escape are no word: a line break in JSON, a percent code, a terminal's colour. */
const escapeEnd = /(?:\\[bfnrtv]|\\u[0-9a-f]{4}|%[0-9a-f]{2}|\[[0-9;]{0,12}m)$/i;

export function startPass(): Pass {
  return { doneUntil: [], ends: [] };
}

/**
 * Where a pattern's view begins. It does not reach back into a secret: a mark will stand there, and a second pass
 * must judge the same.
 */
function viewBegin(hintStart: number, pass: Pass): number {
  const furthest = Math.max(0, hintStart - lookBehind);
  if (pass.ends.length === 0) return furthest;
  pass.ends = pass.ends.filter((end) => end > furthest);
  return Math.max(furthest, ...pass.ends.filter((end) => end <= hintStart));
}

function beginsWord(view: string, at: number): boolean {
  return at === 0 || !wordChar.test(view[at - 1]!) || escapeEnd.test(view.slice(Math.max(0, at - 16), at));
}

export type Find = (text: string, from: number, to: number, pass: Pass) => Match[];

/** Builds the search for all rules: it gives the matches whose hint begins in `from … to`. */
export function createFinder(rules: readonly SecretRule[]): Find {
  const hints: Hint[] = [];
  rules.forEach((rule, index) => {
    const anyCase = rule.pattern.ignoreCase;
    for (const text of rule.hints) hints.push({ text, anyCase, rule: index });
  });
  const forEachHit = createTrigger(hints);
  const marks = new Set(rules.map(({ id }) => `${markBegin}${id}]`));
  const maxMarkLength = Math.max(0, ...Array.from(marks, (mark) => mark.length));
  // Compiled when first needed: most programs meet few kinds of secrets.
  const compiled: RegExp[] = [];

  /** Text that was redacted before stays as it is. */
  function touchesMark(text: string, start: number, end: number): boolean {
    const from = Math.max(0, start - maxMarkLength);
    const surroundings = text.slice(from, end + markBegin.length - 1);
    for (let at = surroundings.indexOf(markBegin); at !== -1; at = surroundings.indexOf(markBegin, at + 1)) {
      const close = text.indexOf("]", from + at) + 1;
      if (close > start && marks.has(text.slice(from + at, close))) return true;
    }
    return false;
  }

  function matchAt(text: string, hintStart: number, ruleIndex: number, pass: Pass): Match | undefined {
    const rule = rules[ruleIndex]!;
    const viewStart = viewBegin(hintStart, pass);
    const view = text.slice(viewStart, hintStart + lookAhead);
    if (rule.wordStart && !beginsWord(view, hintStart - viewStart)) return undefined;
    const pattern = (compiled[ruleIndex] ??= new RegExp(rule.pattern.source, `${rule.pattern.flags}y`));
    pattern.lastIndex = hintStart - viewStart;
    const match = pattern.exec(view);
    if (match === null) return undefined;
    const context = match[1] ?? "";
    const secret = match[0].slice(context.length);
    const start = match.index + context.length;
    const end = start + secret.length;
    if (rule.wordEnd && /[A-Za-z0-9]/.test(view[end] ?? "")) return undefined;
    if (rule.accept?.(secret, context) === false) return undefined;
    // What such a rule finds in front of a mark, it refused when there was more of it.
    const isConditional = rule.wordEnd || rule.accept !== undefined;
    if (touchesMark(view, start, isConditional ? end + 1 : end)) return undefined;
    return { start: viewStart + start, end: viewStart + end, mark: `${markBegin}${rule.id}]`, rank: ruleIndex };
  }

  return function find(text, from, to, pass) {
    const matches: Match[] = [];
    forEachHit(text, from, to, (ruleIndex, start) => {
      if (start < (pass.doneUntil[ruleIndex] ?? 0)) return;
      const match = matchAt(text, start, ruleIndex, pass);
      if (match === undefined) return;
      matches.push(match);
      pass.doneUntil[ruleIndex] = match.end;
      pass.ends.push(match.end);
    });
    return matches;
  };
}
