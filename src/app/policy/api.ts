import type { ListedRule, PoliciesApi } from "../../contract/api/policy.ts";
import { ClewError } from "../../contract/errors.ts";
import { isLoosening, type PolicyRule } from "../../contract/policy.ts";
import { allCommandsIn } from "../../command/all-commands.ts";
import { isKnown } from "../../command/words.ts";
import { judge, type PlacedRule } from "../../policy/judge.ts";
import { refuseSettingFromStep } from "../run/authority.ts";
import type { Caller } from "../run/ports.ts";
import { toolCall, type CallPlace } from "./call.ts";
import type { PolicyFiles } from "./ports.ts";
import { placedRules, policyProblem } from "./rules.ts";

interface Parts {
  files: PolicyFiles;
  place: CallPlace;
  /** The process that asks. */
  caller: () => Caller;
}

export function policiesApi({ files, place, caller }: Parts): PoliciesApi {
  const rules = (): PlacedRule[] => {
    const layers = files.layers();
    const problem = policyProblem(layers);
    if (problem !== undefined)
      throw new ClewError("invalid_config", problem, "mend the line; docs/POLICY.md explains rules");
    return placedRules(layers);
  };
  return {
    async test({ command, tool, path, step, agent, event = "tool" }) {
      const input = { ...(command !== undefined && { command }), ...(path !== undefined && { file_path: path }) };
      const name = tool ?? (command === undefined ? "Edit" : "Bash");
      const call = toolCall(event, toolNames[name] ?? name, input, { ...place, step, agent });
      const { answer, decidedBy, matches } = judge(rules(), call);
      return {
        decision: decidedBy?.rule.decide ?? null,
        rule: decidedBy ? listed(decidedBy.rule) : null,
        match: decidedBy?.match ?? null,
        reason: answer.reason ?? answer.stop ?? null,
        context: answer.context ?? null,
        input: answer.input ?? null,
        matches: matches.map(({ rule }) => listed(rule)),
        commands: wordsIn(command),
      };
    },
    async list() {
      return { rules: rules().map(listed) };
    },
    async trust({ revoke = false }) {
      refuseSettingFromStep(caller());
      rules();
      const file = files.trust(!revoke);
      const own = rules().filter((rule) => rule.file.startsWith(file) && isLoosening(rule));
      return { file, trusted: !revoke, rules: own.map(listed) };
    },
  };
}

/** Kinds of tools may be said in place of a tool. */
const toolNames: Record<string, string> = { shell: "Bash", edit: "Edit", read: "Read", mcp: "mcp__any__tool" };

function wordsIn(command: string | undefined): string[][] {
  const { commands } = command === undefined ? { commands: [] } : allCommandsIn(command);
  return commands.slice(0, 50).map(({ words }) => words.map((word) => (isKnown(word) ? word : "?")));
}

function listed(rule: PlacedRule): ListedRule {
  const { label, file, event, decide = null, counts } = rule;
  return { name: label, file, event, decide, about: aboutOf(rule), counts };
}

function aboutOf({ tool, command, path, step, agent, context, input, output }: PolicyRule): string {
  const parts = Object.entries({ tool: tool?.join("|"), command, path, step, agent });
  const does = [
    context && "adds context",
    input && "rewrites the input",
    output !== undefined && "replaces the output",
  ];
  const about = parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return [...about, ...does.filter((each) => typeof each === "string")].join(", ");
}
