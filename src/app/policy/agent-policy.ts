import type { PermissionEvent } from "../../contract/engine.ts";
import type { PinnedRule } from "../../contract/pinned-run.ts";
import { judge } from "../../policy/judge.ts";
import type { PolicyCall } from "../../policy/call.ts";
import { toolCall, type CallPlace } from "./call.ts";
import type { PolicyFiles } from "./ports.ts";
import { hasDeny, heldRules, placedRules, policyProblem } from "./rules.ts";

/** What the policy says of a call that an agent asks for; nothing where no rule decides. */
export interface PolicyVerdict {
  decision: "allow" | "ask" | "deny";
  reason: string;
}

/** The policy, for agents that Clew starts. */
export interface AgentPolicy {
  /** Whether something is denied, so that a hook that fails should block. */
  isStrict: boolean;
  /** Never throws: what it cannot judge, it denies. The rules are read anew each time; those that are held count as well. */
  judge(event: PermissionEvent, place: Pick<CallPlace, "folder" | "step">): PolicyVerdict | undefined;
}

export function agentPolicy(
  files: PolicyFiles,
  place: Pick<CallPlace, "home" | "realPath" | "topsOf">,
  held: readonly PinnedRule[] = [],
): AgentPolicy {
  return {
    isStrict: hasDeny(files.layers()) || held.some(({ event }) => event === "tool"),
    judge(event, own) {
      // Its own result an agent may always hand in.
      if (event.action?.kind === "result") return undefined;
      try {
        const layers = files.layers();
        const problem = policyProblem(layers);
        if (problem !== undefined) return { decision: "deny", reason: `the policy cannot be read: ${problem}` };
        const { answer } = judge([...placedRules(layers), ...heldRules(held)], askedCall(event, { ...place, ...own }));
        const { decision, reason = "the policy says so" } = answer;
        return decision === undefined || decision === "defer" ? undefined : { decision, reason };
      } catch (error) {
        return { decision: "deny", reason: `the policy could not be asked: ${(error as Error).message}` };
      }
    },
  };
}

/** A call as its engine's adapter understood it, beside what stands in its input. */
function askedCall({ tool, input, action }: PermissionEvent, place: CallPlace): PolicyCall {
  const call = toolCall("tool", tool, input, place);
  if (action?.kind === "run") return { ...call, kind: "shell", command: action.command };
  if (action?.kind !== "edit" && action?.kind !== "read") return call;
  return { ...call, kind: action.kind, paths: [...new Set([...call.paths, ...action.paths])] };
}
