import type { HookAnswer } from "../contract/hook.ts";
import { isLoosening, type PolicyRule } from "../contract/policy.ts";
import { readCall, type PolicyCall, type ReadCall } from "./call.ts";
import { isOnly, isUnreadable, matchExactly, matchWidely, type Match } from "./match-rule.ts";

/** A rule, with where it stands. */
export interface PlacedRule extends PolicyRule {
  /** Its name, or its number in the file. */
  label: string;
  file: string;
  /** False for what loosens and is not trusted. */
  counts: boolean;
}

export interface RuleMatch {
  rule: PlacedRule;
  match: Exclude<Match, "no">;
}

export interface Judgement {
  answer: HookAnswer;
  /** The rule by which it was decided; absent when none decides. */
  decidedBy?: RuleMatch;
  /** All that are about the call, whether or not they decide; those that do not count, too. */
  matches: RuleMatch[];
}

/** First what denies, then what asks, then what allows. Rewriting comes last, and what comes of it is judged once more. */
export function judge(rules: readonly PlacedRule[], given: PolicyCall): Judgement {
  const call = readCall(given);
  const matches = rules.flatMap((rule): RuleMatch[] => {
    const match = isLoosening(rule) ? (loosens(rule, rules, call) ? "yes" : "no") : matchWidely(rule, call);
    return match === "no" ? [] : [{ rule, match }];
  });
  const counting = matches.filter(({ rule }) => rule.counts);
  const find = (decide: PolicyRule["decide"]): RuleMatch | undefined =>
    sureFirst(counting.filter(({ rule }) => rule.decide === decide));
  const strict = find("stop") ?? find("deny");
  const added = addedBy(counting);
  if (strict) return { answer: { ...refusal(strict, call), ...added.context }, decidedBy: strict, matches };
  const input = inputOf(counting, call);
  const again = input && judgeStrictly(rules, given.withInput(input));
  if (again?.decision === "deny") return { answer: again.answer, decidedBy: again.decidedBy, matches };
  // Where several rules allow it together, the one that would alone.
  const allowing = counting.filter(({ rule }) => rule.decide === "allow");
  const allowed = allowing.find(({ rule }) => matchExactly(rule, call)) ?? allowing[0];
  const decidedBy = find("ask") ?? again?.decidedBy ?? allowed;
  const answer = {
    ...(decidedBy && { decision: decidedBy.rule.decide as "ask" | "allow", reason: reasonOf(decidedBy, call) }),
    ...(input && { input }),
    ...added.context,
    ...added.output,
  };
  return { answer, ...(decidedBy && { decidedBy }), matches };
}

/** What is certain is told before what may be. */
function sureFirst(matches: readonly RuleMatch[]): RuleMatch | undefined {
  return matches.find(({ match }) => match === "yes") ?? matches[0];
}

/** Several rules that allow commands may together allow a list of them. */
function loosens(rule: PlacedRule, rules: readonly PlacedRule[], call: ReadCall): boolean {
  if (matchExactly(rule, call)) return true;
  if (rule.decide !== "allow" || rule.command === undefined || !rule.counts) return false;
  const { command: _, ...rest } = rule;
  if (!matchExactly(rest, call)) return false;
  const others = rules.flatMap((each) =>
    each.counts && each.decide === "allow" && each.command !== undefined && isAlike(each, rule) ? each.command : [],
  );
  return isOnly(others, call);
}

function isAlike(one: PlacedRule, other: PlacedRule): boolean {
  return one.step === other.step && one.agent === other.agent && one.path === other.path;
}

/** An agent that is stopped before a call does not make it. */
function refusal(decided: RuleMatch, call: ReadCall): HookAnswer {
  const reason = reasonOf(decided, call);
  // In doubt a call is denied; only what is certain ends an agent's work.
  const isStop = decided.rule.decide === "stop" && decided.match === "yes";
  return { ...((!isStop || call.event === "tool") && { decision: "deny", reason }), ...(isStop && { stop: reason }) };
}

function reasonOf({ rule, match }: RuleMatch, call: ReadCall): string {
  const words = `${rule.reason ?? `the policy says ${rule.decide}`} (${rule.label} in ${rule.file})`;
  if (match === "yes") return words;
  if (isUnreadable(call))
    return `${words}. This call could not be read, and may be what the rule is about: make it shorter`;
  return `${words}. What this command would execute cannot be told, and may be what the rule is about: write it out, without variables and substitutions`;
}

function addedBy(matches: readonly RuleMatch[]): { context: HookAnswer; output: HookAnswer } {
  const contexts = matches.flatMap(({ rule }) => rule.context ?? []);
  const output = matches.find(({ rule }) => rule.output !== undefined)?.rule.output;
  return {
    context: contexts.length > 0 ? { context: [...new Set(contexts)].join("\n\n") } : {},
    output: output === undefined ? {} : { output },
  };
}

function inputOf(matches: readonly RuleMatch[], { input }: ReadCall): Record<string, unknown> | undefined {
  const changes = matches.flatMap(({ rule }) => rule.input ?? []);
  return changes.length === 0 ? undefined : Object.assign({}, input, ...changes);
}

/** What a call was made into. Undefined when nothing denies it or asks about it. */
function judgeStrictly(rules: readonly PlacedRule[], call: PolicyCall) {
  const strict = rules.filter((rule) => !isLoosening(rule));
  const { answer, decidedBy } = judge(strict, call);
  return decidedBy && { answer, decidedBy, decision: answer.decision };
}
