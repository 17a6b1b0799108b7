import { realPath, topsOf } from "../adapters/policy/real-paths.ts";
import { toolCall } from "../app/policy/call.ts";
import { userHome } from "../adapters/layout/user-paths.ts";
import { policyFiles } from "../adapters/policy/policy-files.ts";
import { hasDeny, placedRules, policyProblem } from "../app/policy/rules.ts";
import type { AskedCall, CallJudge } from "../app/turn/execution/approval.ts";
import type { ReadRefusal } from "../app/turn/ports.ts";
import { ClewError } from "../contract/errors.ts";
import type { PolicyCall } from "../policy/call.ts";
import { judge, type PlacedRule } from "../policy/judge.ts";
import { isAllowedByName, surelyWrites } from "../policy/named-calls.ts";
import type { Ground } from "./wire-ground.ts";

/** Rules are read at the first question. */
export function callJudge({ repository, env, layout }: Ground): CallJudge {
  const files = policyFiles({ repository, env });
  const place = { folder: layout.root, home: userHome(env), realPath, topsOf };
  let read: PlacedRule[] | undefined;
  const rules = (): PlacedRule[] => (read ??= readRules());
  const readRules = (): PlacedRule[] => {
    const layers = files.layers();
    const problem = policyProblem(layers);
    if (problem !== undefined)
      throw new ClewError("invalid_config", problem, "mend the line; docs/POLICY.md explains rules");
    return placedRules(layers);
  };
  const callOf = ({ tool, input, agent }: AskedCall): PolicyCall => toolCall("tool", tool, input, { ...place, agent });
  return {
    judge(call) {
      const { decision, reason = "the policy says so" } = judge(rules(), callOf(call)).answer;
      return decision === undefined || decision === "defer" ? undefined : { decision, reason };
    },
    isAllowedByName: (call) => isAllowedByName(rules(), callOf(call)),
    writes: (call, paths) => surelyWrites(paths, callOf(call)),
  };
}

/** Why an agent may not be shown a file, by the rules as they stand now; undefined where no rule denies anything. */
export function readRefusals(ground: Ground): ReadRefusal | undefined {
  if (!hasDeny(policyFiles(ground).layers())) return undefined;
  const rules = callJudge(ground);
  return (path, agent) => {
    const verdict = rules.judge({ tool: "Read", input: { file_path: path }, agent });
    return verdict?.decision === "deny" ? `denied by the policy: ${verdict.reason}` : undefined;
  };
}
