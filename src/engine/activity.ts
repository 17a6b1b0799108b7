import type { EngineEvent } from "../contract/engine.ts";
import { callSubject } from "../text/tool-call.ts";
import { truncateLine } from "./truncate-line.ts";

/** What an agent was last seen at, in one line. */
export interface Activity {
  kind: "tool" | "text" | "thinking" | "result" | "error";
  text: string;
}

const maxTextChars = 200;

/** Undefined for events that are no activity of their own. */
export function activityOf(event: EngineEvent): Activity | undefined {
  const activity = (kind: Activity["kind"], text: string): Activity => ({
    kind,
    text: truncateLine(text, maxTextChars),
  });
  switch (event.type) {
    case "message":
      return activity("text", event.text);
    case "thinking":
      return activity("thinking", event.text);
    case "tool_call":
      return activity("tool", `${event.name} ${callSubject(event.input) ?? ""}`);
    case "result":
      return activity(event.failed ? "error" : "result", event.text);
    case "error":
      return activity("error", event.message);
    case "permission":
      return activity("tool", `${event.tool} waits for permission`);
    default:
      return undefined;
  }
}
