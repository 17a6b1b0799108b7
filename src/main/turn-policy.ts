import { realPath, topsOf } from "../adapters/policy/real-paths.ts";
import { toolCall } from "../app/policy/call.ts";
import { userHome } from "../adapters/layout/user-paths.ts";
import { policyFiles } from "../adapters/policy/policy-files.ts";
import { hasDeny, placedRules, policyProblem } from "../app/policy/rules.ts";
import type { JudgeCall } from "../app/turn/execution/approval.ts";
import type { ReadRefusal } from "../app/turn/ports.ts";
import { ClewError } from "../contract/errors.ts";
import { judge, type PlacedRule } from "../policy/judge.ts";
import type { Ground } from "./wire-ground.ts";

/** Rules are read at the first question. */
export function callJudge({ repository, env, layout }: Ground): JudgeCall {
  const files = policyFiles({ repository, env });
  const place = { folder: layout.root, home: userHome(env), realPath, topsOf };
  let rules: PlacedRule[] | undefined;
  const read = (): PlacedRule[] => {
    const layers = files.layers();
    const problem = policyProblem(layers);
    if (problem !== undefined)
      throw new ClewError("invalid_config", problem, "mend the line; docs/POLICY.md explains rules");
    return placedRules(layers);
  };
  return ({ tool, input, agent }) => {
    const { answer } = judge((rules ??= read()), toolCall("tool", tool, input, { ...place, agent }));
    const { decision, reason = "the policy says so" } = answer;
    return decision === undefined || decision === "defer" ? undefined : { decision, reason };
  };
}

/** Why an agent may not be shown a file, by the rules as they stand now; undefined where no rule denies anything. */
export function readRefusals(ground: Ground): ReadRefusal | undefined {
  if (!hasDeny(policyFiles(ground).layers())) return undefined;
  const judgeCall = callJudge(ground);
  return (path, agent) => {
    const verdict = judgeCall({ tool: "Read", input: { file_path: path }, agent });
    return verdict?.decision === "deny" ? `denied by the policy: ${verdict.reason}` : undefined;
  };
}
