import type { PolicyEvent } from "../../contract/policy.ts";

const events: Record<string, PolicyEvent> = {
  PreToolUse: "tool",
  PermissionRequest: "tool",
  PostToolUse: "result",
  PreCompact: "compaction",
  UserPromptSubmit: "prompt",
};

/** What rules call an event of hooks; undefined for those that no rule is about. */
export function policyEventOf(event: string): PolicyEvent | undefined {
  return Object.hasOwn(events, event) ? events[event] : undefined;
}
