import type { ToolCaller } from "../app/rehydrate/ports.ts";
import { isObject } from "../text/is-object.ts";

const nameForm = /^[\w.:-]{1,200}$/;

/** Who calls a tool, as far as engines tell in `_meta`: Claude Code names the call, Codex its own session. */
export function toolCaller(meta: unknown): ToolCaller | undefined {
  if (!isObject(meta)) return undefined;
  const call = nameIn(meta["claudecode/toolUseId"]);
  if (call !== undefined) return { engine: "claude", tool_use_id: call };
  const thread = nameIn(meta["threadId"]);
  return thread === undefined ? undefined : { engine: "codex", engine_session: thread };
}

function nameIn(value: unknown): string | undefined {
  return typeof value === "string" && nameForm.test(value) ? value : undefined;
}
