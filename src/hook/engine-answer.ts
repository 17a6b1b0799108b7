import type { HookAnswer, HookEngine } from "../contract/hook.ts";

/** Engines whose hooks can have a person asked. Codex takes it for a failure, and lets the tool run. */
const askers: readonly HookEngine[] = ["claude", "qwen"];

/** An answer as an engine can follow it; what it cannot becomes a deny, never an allow. */
export function forEngine(engine: HookEngine, event: string, answer: HookAnswer): HookAnswer {
  if (event !== "PreToolUse") return answer;
  const { input, ...rest } = answer;
  if (answer.decision === "defer" && engine !== "claude") return asked(engine, answer);
  if (answer.decision === "ask") return asked(engine, answer);
  if (input !== undefined && engine === "qwen" && answer.decision !== "deny") {
    const instead = `this engine cannot be given another input; call the tool with ${JSON.stringify(input)}`;
    return { ...rest, decision: "deny", reason: [answer.reason, instead].filter(Boolean).join(": ") };
  }
  return answer;
}

function asked(engine: HookEngine, answer: HookAnswer): HookAnswer {
  if (askers.includes(engine)) return { ...answer, decision: "ask" };
  const { input: _, ...rest } = answer;
  const why = "a person has to allow this, and a hook of this engine cannot ask";
  return { ...rest, decision: "deny", reason: [answer.reason, why].filter(Boolean).join(": ") };
}

/** What a tool gets in place of its input, when its engine follows this answer; undefined where it gets what was asked, or does not run. */
export function inputAfter(engine: HookEngine, event: string, answer: HookAnswer): HookAnswer["input"] {
  if (event !== "PreToolUse") return undefined;
  const { input, decision } = forEngine(engine, event, answer);
  return decision === "deny" ? undefined : input;
}
