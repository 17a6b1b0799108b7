import type { EngineEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/grimoire.ts";
import { redactJson } from "../../redact/redact-json.ts";

type Redact = (text: string) => string;

/** Every text of an event, as it reads once the JSON around it is gone. */
export function redactEvent(event: EngineEvent, redact: Redact): EngineEvent {
  const { type, ...rest } = event;
  return { type, ...(redactJson(rest as Json, redact) as object) } as EngineEvent;
}

/**
 * A line of an engine's stream as it came, but for secrets. The whole line is looked at, because a name gives its value
 * away; should a mark break the JSON, each text in it is looked at alone.
 */
export function redactLine(line: string, redact: Redact): string {
  const redacted = redact(line);
  if (redacted === line) return line;
  const value = jsonOf(line);
  if (value === undefined || jsonOf(redacted) !== undefined) return redacted;
  return JSON.stringify(redactJson(value, redact));
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
