import type { EngineEvent } from "../../contract/engine.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Agents } from "./agents.ts";

const defaultWaitMs = 30 * 60_000;
/** So long before the engine would deny a permission by itself, its agent is stopped. */
const beforeDenialMs = 20_000;

/** How long an agent waits for a permission: as the settings say, but never until its engine denies by itself. */
export function permissionWaitMs(agents: Pick<Agents, "traitsOf">, engine: string, waitMs = defaultWaitMs): number {
  const limitMs = agents.traitsOf(engine)?.manners.permission_timeout_ms ?? Infinity;
  return Math.max(0, Math.min(waitMs, limitMs - beforeDenialMs));
}

/** An engine that is stopped while it asks tells the model that its user refused, which no person did. */
export function withoutRefusal(event: Redacted<EngineEvent>): Redacted<EngineEvent> {
  if (event.type !== "tool_result" || !event.failed) return event;
  return { ...event, output: "the agent was stopped before a person had answered" };
}
