import type { EngineEvent, ResultEvent, UsageEvent } from "../contract/engine.ts";
import { addUsage, type Usage } from "../contract/run.ts";
import { activityOf, type Activity } from "./activity.ts";

/** What is known of an engine session from its events. */
export interface EngineState {
  /** All that was used so far; absent while the engine told nothing. */
  usage?: Usage;
  /** The last ten, oldest first. */
  activities: readonly Activity[];
  /** What the agent said last, as far as it was said whole. */
  message?: string;
  /** The terminal event. */
  result?: ResultEvent;
  /** The last thing that went wrong. */
  error?: string;
}

const maxActivities = 10;

export function createFold() {
  const activities: Activity[] = [];
  const byMessage = new Map<string, Usage>();
  let countedUsage: Usage | undefined;
  let result: ResultEvent | undefined;
  let error: string | undefined;
  let message: string | undefined;

  function countUsage({ of, message_id, input_tokens, output_tokens, cost_usd }: UsageEvent): void {
    const usage = { input_tokens, output_tokens, ...(cost_usd !== undefined && { cost_usd }) };
    if (of === "session") {
      countedUsage = usage;
      byMessage.clear();
    } else if (message_id === undefined) {
      countedUsage = countedUsage ? addUsage(countedUsage, usage) : usage;
    } else {
      byMessage.set(message_id, usage);
    }
  }

  function usageSoFar(): Usage | undefined {
    const parts = countedUsage ? [countedUsage, ...byMessage.values()] : [...byMessage.values()];
    return parts.length === 0 ? undefined : parts.reduce(addUsage);
  }

  return {
    add(event: EngineEvent): void {
      const activity = activityOf(event);
      if (activity) activities.push(activity);
      if (activities.length > maxActivities) activities.shift();
      if (event.type === "usage") countUsage(event);
      if (event.type === "result") result = event;
      if (event.type === "error") error = event.message;
      // What a subagent says is not the agent's own.
      if (event.type === "message" && event.parent === undefined && event.text.trim() !== "") message = event.text;
    },
    state(): EngineState {
      const usage = usageSoFar();
      return {
        activities: [...activities],
        ...(usage && { usage }),
        ...(result && { result }),
        ...(message !== undefined && { message }),
        ...(error !== undefined && { error }),
      };
    },
  };
}
