import type { HookAnswer } from "../../contract/hook.ts";
import type { PolicyEvent } from "../../contract/policy.ts";
import { judge } from "../../policy/judge.ts";
import type { HookAnswerer, HookQuestion } from "../hook/answer.ts";
import { toolCall, type CallPlace } from "./call.ts";
import { policyEventOf } from "./event.ts";
import type { PolicyFiles } from "./ports.ts";
import { heldRules, placedRules, policyProblem } from "./rules.ts";

interface Parts {
  /** Never throws. */
  layers: PolicyFiles["layers"];
  place: Pick<CallPlace, "home" | "realPath" | "topsOf">;
}

/** Answers hooks by the policy. It never throws before a tool call: what it cannot judge, it denies. */
export function policyAnswerer({ layers: read, place }: Parts): HookAnswerer {
  return async (question) => {
    const event = policyEventOf(question.event);
    if (event === undefined) return undefined;
    try {
      const layers = read();
      const problem = policyProblem(layers);
      if (problem !== undefined) return event === "tool" ? unreadable(problem) : undefined;
      const rules = [...placedRules(layers), ...heldRules(question.rules)];
      return answerOf(question, judge(rules, callIn(event, question, place)).answer);
    } catch (error) {
      if (event === "tool") return unreadable((error as Error).message);
      throw error;
    }
  };
}

/** A policy that cannot be read may forbid anything. */
function unreadable(problem: string): HookAnswer {
  return { decision: "deny", reason: `no tool is used while the policy cannot be read: ${problem}` };
}

function callIn(event: PolicyEvent, { fields, caller, folder }: HookQuestion, place: Parts["place"]) {
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return toolCall(event, text("tool_name") ?? "", fields["tool_input"], {
    ...place,
    folder: text("cwd") ?? folder,
    start: folder,
    step: caller?.step ?? undefined,
    agent: text("agent_type") ?? text("agent"),
  });
}

/** Only what an MCP tool answered can be replaced. */
function answerOf({ fields }: HookQuestion, { output, ...answer }: HookAnswer): HookAnswer {
  const tool = fields["tool_name"];
  const isMcp = typeof tool === "string" && tool.startsWith("mcp_");
  return { ...answer, ...(output !== undefined && isMcp && { output }) };
}
