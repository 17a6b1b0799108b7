import type { HookPlace } from "../adapters/hooks/hook-place.ts";
import { wantsEvidence } from "../adapters/hooks/wants-evidence.ts";
import { mayHavePolicy } from "../adapters/policy/policy-signs.ts";
import type { HookAnswerer, HookQuestion } from "../app/hook/answer.ts";
import { inputAfter } from "../hook/engine-answer.ts";
import { asksForRehydration } from "../app/rehydrate/asks-for-rehydration.ts";

/** What stands in a chunk of its own, and is loaded when it is called. */
export interface LoadedAnswerers {
  /** Tells an agent where it stands. */
  rehydrate: HookAnswerer;
  /** Looks out for calls that the step of a connected agent requires. */
  witness: HookAnswerer;
}

/** Who answers the hooks of a repository's agents. Each loads what it needs only where it has something to say. */
export function hookAnswerers(
  place: Omit<HookPlace, "refuseLinks">,
  env: Record<string, string | undefined>,
  { rehydrate, witness }: LoadedAnswerers,
): HookAnswerer[] {
  const judged = new WeakMap<HookQuestion, ReturnType<HookAnswerer>>();
  const policy: HookAnswerer = (question) => {
    const answer = judged.get(question) ?? lazyPolicyAnswerer(place.root, env)(question);
    judged.set(question, answer);
    return answer;
  };
  return [
    policy,
    async (question) => (asksForRehydration(question) ? rehydrate(question) : undefined),
    async (question) => {
      if (!isToolCall(question) || !wantsEvidence(place.home)) return undefined;
      const answer = await policy(question).catch(() => undefined);
      const input = answer && inputAfter(question.engine, question.event, answer);
      return witness(input ? { ...question, input } : question);
    },
  ];
}

/** Answers by the policy alone: by the user's own rules where there is no repository, or where Clew was never set up. */
export function lazyPolicyAnswerer(root: string | undefined, env: Record<string, string | undefined>): HookAnswerer {
  return async (question) => {
    if (!question.rules?.length && !mayHavePolicy(root, env)) return undefined;
    try {
      const { openPolicyAnswerer } = await import("./hook-policy.ts");
      return await openPolicyAnswerer(root, env)(question);
    } catch (error) {
      // Where there are rules, a fault of ours is a no.
      if (question.event !== "PreToolUse") throw error;
      return { decision: "deny", reason: `the policy could not be asked: ${(error as Error).message}` };
    }
  };
}

/** Of an agent that the user started: the process that drives any other sees its calls itself. */
function isToolCall({ event, caller }: HookQuestion): boolean {
  return caller === undefined && /^P(?:re|ost)ToolUse/.test(event);
}
