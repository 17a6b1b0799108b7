import type { Evidence } from "../../contract/api/evidence.ts";
import type { EvidenceLine } from "../../contract/hook.ts";
import { toolKindOf } from "../../engine/tool-kinds.ts";
import { sightIn } from "./observed-calls.ts";

/**
 * The calls of an agent that works in no run (a work session, a talk), as its hooks told of them, or its stream where its engine calls
 * none. No gate asks for them, so that there is no tree.
 */
export function sessionCalls(session: string, lines: readonly EvidenceLine[]): Evidence[] {
  const calls = new Map<string, Evidence>();
  for (const line of lines) {
    const { event, tool_use_id: id, step } = line;
    const isAfter = event === "PostToolUse" || event === "PostToolUseFailure";
    if (id === null || step !== null || (event !== "PreToolUse" && !isAfter)) continue;
    const call = calls.get(id) ?? begun(`${session}/${calls.size + 1}`, session, id, line);
    calls.set(id, isAfter ? ended(call, line) : call);
  }
  return [...calls.values()];
}

function begun(id: string, session: string, tool_use_id: string, { at, engine, hook, via }: EvidenceLine): Evidence {
  const { tool, command, folder } = sightIn(hook, false);
  return {
    id,
    at,
    run: null,
    session,
    step: null,
    attempt: null,
    engine,
    tool,
    kind: toolKindOf(tool),
    tool_use_id,
    ...(command !== undefined && { command }),
    ...(folder !== undefined && { folder }),
    // Until its end is told, as of one that was denied or cut off.
    failed: true,
    exit: null,
    tree_before: null,
    tree: null,
    head: null,
    witnesses: [via === "stream" ? "stream" : "hook"],
  };
}

function ended(call: Evidence, { event, at, hook, via }: EvidenceLine): Evidence {
  const failed = event === "PostToolUseFailure";
  const told = hook["exit_code"];
  const exit = via === "stream" ? (typeof told === "number" ? told : undefined) : sightIn(hook, failed).exit;
  return { ...call, at, failed, exit: exit ?? null };
}
