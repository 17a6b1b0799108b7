import { defaultTimeoutsMs, type AgentStep, type Json, type ScriptStep } from "../../contract/grimoire.ts";
import type { PreviewStep } from "../../contract/preview.ts";
import { Unknown, type Data } from "../template/unknown.ts";

/** A value as a preview has it: what only exists in the run stands as its placeholder. */
export function previewValue(value: Data): Json {
  if (value === undefined || value === null) return null;
  if (value instanceof Unknown) return value.placeholder;
  if (Array.isArray(value)) return value.map(previewValue);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, previewValue(each)]));
}

/** How a step is executed: how long, and what follows. */
export function executionFields(step: AgentStep | ScriptStep): Partial<PreviewStep> {
  const { type, timeout_ms = defaultTimeoutsMs[type], on_fail, on_success, detach } = step;
  return { timeout_ms, on_fail, ...(on_success && { on_success }), ...(detach && { detach }) };
}
