import { policyFiles } from "../adapters/policy/policy-files.ts";
import { realPath, topsOf } from "../adapters/policy/real-paths.ts";
import { sightFiles } from "../adapters/hooks/sight-files.ts";
import { driversAround } from "../adapters/journal-file/claimed-drivers.ts";
import { userHome } from "../adapters/layout/user-paths.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import { policiesApi } from "../app/policy/api.ts";
import { agentPolicy, type AgentPolicy } from "../app/policy/agent-policy.ts";
import { heldAgentAnswerer } from "../app/policy/held-agent.ts";
import { pinnedRules } from "../app/policy/rules.ts";
import type { RunStore } from "../app/run/ports.ts";
import type { Api } from "../contract/api/api.ts";
import type { PinnedRule } from "../contract/pinned-run.ts";
import { callersParts } from "./wire-callers.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what tells of policies. */
export function openPolicies({ repository, env, layout }: Ground): Api["policies"] {
  return policiesApi({
    files: policyFiles({ repository, env }),
    place: { folder: layout.root, home: userHome(env), realPath, topsOf },
    caller: () => systemCaller(env, driversAround),
  });
}

/** Puts together what agents are held to that Clew starts. */
export function openAgentPolicy({ repository, env }: Ground, held?: readonly PinnedRule[]): AgentPolicy {
  return agentPolicy(policyFiles({ repository, env }), { home: userHome(env), realPath, topsOf }, held);
}

/** Judges connected agents by the rules with which their runs began. */
export async function openHeldAgents({ layout, env }: Ground, store: RunStore): Promise<HookAnswerer> {
  const { openPolicyAnswerer } = await import("./hook-policy.ts");
  const judge = openPolicyAnswerer(layout.root, env);
  return heldAgentAnswerer({ ...callersParts(layout.home, store), files: sightFiles(layout.home), judge });
}

/** What agents are held to from now on, whatever becomes of the files. */
export function rulesNow({ repository, env }: Pick<Ground, "repository" | "env">): PinnedRule[] {
  return pinnedRules(policyFiles({ repository, env }).layers());
}
