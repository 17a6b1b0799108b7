import { connectedSigns, type ConnectedSigns } from "../adapters/hooks/connected-signs.ts";
import type { HookPlace } from "../adapters/hooks/hook-place.ts";
import { mayHavePolicy } from "../adapters/policy/policy-signs.ts";
import type { HookAnswerer, HookQuestion } from "../app/hook/answer.ts";
import { mergeAnswers } from "../hook/answer.ts";
import { inputAfter } from "../hook/engine-answer.ts";
import { policyEventOf } from "../app/policy/event.ts";
import { asksForRehydration } from "../app/rehydrate/asks-for-rehydration.ts";

/** What stands in a chunk of its own, and is loaded when it is called. */
export interface LoadedAnswerers {
  /** Tells an agent where it stands. */
  rehydrate: HookAnswerer;
  /** Looks out for calls that the step of a connected agent requires. */
  witness: HookAnswerer;
  /** Judges by the rules with which the run of a connected agent began. */
  held: HookAnswerer;
}

/** Who answers the hooks of a repository's agents. Each loads what it needs only where it has something to say. */
export function hookAnswerers(
  place: Omit<HookPlace, "refuseLinks">,
  env: Record<string, string | undefined>,
  { rehydrate, witness, held }: LoadedAnswerers,
): HookAnswerer[] {
  let known: ConnectedSigns | undefined;
  const signs = (): ConnectedSigns => (known ??= connectedSigns(place.home));
  const rules: HookAnswerer = async (question) => {
    const now = lazyPolicyAnswerer(place.root, env)(question);
    const isHeld = isUsers(question) && signs().isAny && (signs().hasRules || mayHavePolicy(place.root, env));
    if (!isHeld || policyEventOf(question.event) === undefined) return now;
    return mergeAnswers(...(await Promise.all([now, orDeny(held)(question)])));
  };
  const judged = new WeakMap<HookQuestion, ReturnType<HookAnswerer>>();
  const policy: HookAnswerer = (question) => {
    const answer = judged.get(question) ?? rules(question);
    judged.set(question, answer);
    return answer;
  };
  return [
    policy,
    async (question) => (asksForRehydration(question) ? rehydrate(question) : undefined),
    async (question) => {
      if (!isUsers(question) || !isToolCall(question) || !signs().wantsEvidence) return undefined;
      const answer = await policy(question).catch(() => undefined);
      const input = answer && inputAfter(question.engine, question.event, answer);
      return witness(input ? { ...question, input } : question);
    },
  ];
}

/** Answers by the policy alone: by the user's own rules where there is no repository, or where Clew was never set up. */
export function lazyPolicyAnswerer(root: string | undefined, env: Record<string, string | undefined>): HookAnswerer {
  return orDeny(async (question) => {
    if (!question.rules?.length && !mayHavePolicy(root, env)) return undefined;
    const { openPolicyAnswerer } = await import("./hook-policy.ts");
    return openPolicyAnswerer(root, env)(question);
  });
}

/** Where there are rules, a fault of ours is a no. */
function orDeny(judge: HookAnswerer): HookAnswerer {
  return async (question) => {
    try {
      return await judge(question);
    } catch (error) {
      if (question.event !== "PreToolUse") throw error;
      return { decision: "deny", reason: `the policy could not be asked: ${(error as Error).message}` };
    }
  };
}

/** The process that drives any other sees its calls itself, and holds it to its rules. */
function isUsers({ caller }: HookQuestion): boolean {
  return caller === undefined;
}

function isToolCall({ event }: HookQuestion): boolean {
  return /^P(?:re|ost)ToolUse/.test(event);
}
