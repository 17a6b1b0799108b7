import type { EngineEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/grimoire.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import { redactValue } from "../../redact/redact-value.ts";

/** Every text of an event, as it reads once the JSON around it is gone. */
export function redactEvent(event: EngineEvent, redact: Redact): Redacted<EngineEvent> {
  const { type, ...rest } = event;
  return assumeRedacted({ type, ...(redactValue(rest as Json, redact) as object) } as EngineEvent);
}

/**
 * A line of an engine's stream as it came, but for secrets. The whole line is looked at, because a name gives its value
 * away; should a mark break the JSON, each text in it is looked at alone.
 */
export function redactLine(line: string, redact: Redact): Redacted<string> {
  const redacted = redact(line);
  // Letters that are written as escapes hide a secret until the line is read.
  const isPlain = !line.includes("\\u");
  if (redacted === line && isPlain) return redacted;
  const value = jsonOf(line);
  if (value === undefined || (isPlain && jsonOf(redacted) !== undefined)) return redacted;
  const clean = redactValue(value, redact);
  if (clean === value) return redacted;
  return assumeRedacted(JSON.stringify(clean));
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
