import type { EngineEvent, ResultEvent } from "../contract/engine.ts";
import type { Usage } from "../contract/run.ts";
import { activityOf, type Activity } from "./activity.ts";
import type { PriceOf } from "./prices.ts";
import { UsageCount } from "./usage-count.ts";

/** What is known of an engine session from its events. */
export interface EngineState {
  /** All that was used so far; absent while the engine told nothing. */
  usage?: Usage;
  /** Exchanges with a model; absent while there was none. */
  rounds?: number;
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
  const counted = new UsageCount();
  let result: ResultEvent | undefined;
  let error: string | undefined;
  let message: string | undefined;

  return {
    add(event: EngineEvent): void {
      const activity = activityOf(event);
      if (activity) activities.push(activity);
      if (activities.length > maxActivities) activities.shift();
      counted.add(event);
      if (event.type === "result") result = event;
      if (event.type === "error") error = event.message;
      // What was survived is not why it ended.
      else if (event.type === "message" || event.type === "tool_result") error = undefined;
      // What a subagent says is not the agent's own.
      if (event.type === "message" && event.parent === undefined && event.text.trim() !== "") message = event.text;
    },
    /** With `priceOf`, the cost is worked out where the engine tells none. */
    state(priceOf?: PriceOf): EngineState {
      const usage = counted.usage(priceOf);
      return {
        activities: [...activities],
        ...(counted.rounds > 0 && { rounds: counted.rounds }),
        ...(usage && { usage }),
        ...(result && { result }),
        ...(message !== undefined && { message }),
        ...(error !== undefined && { error }),
      };
    },
  };
}
