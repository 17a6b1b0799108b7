import { policyLayers, type PolicyPlace } from "../adapters/policy/policy-layers.ts";
import { realPath, topsOf } from "../adapters/policy/real-paths.ts";
import { ruleMemory } from "../adapters/policy/rule-memory.ts";
import { repositoryAround } from "../adapters/git/repository.ts";
import { rootPaths } from "../adapters/layout.ts";
import { userHome, userSettings } from "../adapters/layout/user-paths.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import { policyEventOf } from "../app/policy/event.ts";
import type { PolicyLayer } from "../app/policy/ports.ts";
import { createRedactor } from "../redact/redactor.ts";
import { redactValue } from "../redact/redact-value.ts";

declare const __CLEW_VERSION__: string;

/** Puts together what answers hooks by the policy; without a repository, by the user's own rules. What no rule is about loads no judge. */
export function openPolicyAnswerer(root: string | undefined, env: Record<string, string | undefined>): HookAnswerer {
  return async (question) => {
    const layers = await layersNow({ repository: root === undefined ? undefined : repositoryAround(root), env });
    const event = policyEventOf(question.event);
    const isAbout = [...layers.flatMap(({ rules }) => rules), ...(question.rules ?? [])].some(
      (rule) => rule.event === event,
    );
    if (!isAbout && layers.every(({ problem }) => problem === undefined)) return undefined;
    const { policyAnswerer } = await import("../app/policy/answerer.ts");
    return policyAnswerer({ layers: () => layers, place: { home: userHome(env), realPath, topsOf } })(question);
  };
}

/** Without YAML where the files are as they were. */
async function layersNow(place: PolicyPlace): Promise<PolicyLayer[]> {
  const { repository, env } = place;
  const memory = ruleMemory(env, __CLEW_VERSION__);
  const files = [userSettings(env), ...(repository ? [rootPaths.settings(repository.root)] : [])];
  const known = new Map(files.map((file) => [file, memory.find(file)]));
  if (!files.some((file) => known.get(file) === undefined)) return policyLayers(place, (_, file) => known.get(file)!);
  const { readRules } = await import("../adapters/policy/policy-files.ts");
  return policyLayers(place, (disk, file) => {
    const stamp = memory.stampOf(file);
    const read = readRules(disk, file);
    const redacted = redactValue(read, createRedactor({ env }).redact);
    // Rules in which something was redacted are others.
    if (redacted === read) memory.keep(file, stamp, redacted);
    return read;
  });
}
