import type { EvidenceLine } from "../../contract/hook.ts";
import { fromRedacted, type Redacted, type RedactValue } from "../../contract/redacted.ts";
import { shallow, shortJson } from "../../hook/payload.ts";
import type { MarkedCaller } from "./ports.ts";

/** A call of a hook, as it was read. */
export interface ReadHook {
  event: string;
  engine: string;
  fields: Record<string, unknown>;
  folder: string;
  /** Undefined when the user started the agent. */
  caller: MarkedCaller | undefined;
  via: EvidenceLine["via"];
  at: string;
}

/** The line that keeps a call, and what it tells. Throws an Error in words when it is too long to be kept. */
export function hookLine(
  redact: RedactValue,
  { fields, caller, via, ...about }: ReadHook,
): {
  line: Redacted<string>;
  hook: Redacted<Record<string, unknown>>;
  toolUseId: string | null;
} {
  const hook = redact(shallow(fields) as Record<string, unknown>);
  // Qwen makes up another id for its hooks, and tells the one of its stream beside it.
  const toolUseId = textIn(hook, "tool_call_id") ?? textIn(hook, "tool_use_id") ?? null;
  const { event, engine, folder, at } = about;
  const names = redact({ v: 1, at, event, engine, folder, ...(caller && { ...caller, tool_use_id: toolUseId, via }) });
  const line = fromRedacted(hook, (each) => shortJson({ ...names, hook: each }));
  if (line === undefined) throw new Error("what the engine sent is too long, even without its long texts");
  return { line, hook, toolUseId };
}

/** A field that is a text, and not empty. */
export function textIn(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
