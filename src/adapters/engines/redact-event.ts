import type { EngineEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/grimoire.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { parseJson } from "../../text/parse-json.ts";

/** Events whose texts stand in their line as they are. */
const verbatimTypes = new Set<EngineEvent["type"]>(["delta", "message", "thinking", "usage", "init"]);

/** The redacted events of one line. Where nothing in the line was a secret, and no escape could hide one, its words need no second look. */
export function redactEvents(
  events: readonly EngineEvent[],
  { raw, redacted }: { raw: string; redacted: Redacted<string> },
  redact: Redact,
): Redacted<EngineEvent>[] {
  const isPlain = redacted === raw && !raw.includes("\\");
  return events.map((event) =>
    isPlain && verbatimTypes.has(event.type) ? assumeRedacted(event) : redactEvent(event, redact),
  );
}

/** Redacts every text of an event, after the JSON was parsed. */
export function redactEvent(event: EngineEvent, redact: Redact): Redacted<EngineEvent> {
  const { type, ...rest } = event;
  return assumeRedacted({ type, ...(redactValue(rest as Json, redact) as object) } as EngineEvent);
}

/**
 * A line of an engine's stream without secrets. The whole line is redacted, because the name of a field shows that its value
 * is a secret. If that breaks the JSON, each text in it is redacted by itself.
 */
export function redactLine(line: string, redact: Redact): Redacted<string> {
  const redacted = redact(line);
  // Escaped characters hide a secret until the JSON is parsed.
  const isPlain = !line.includes("\\u");
  if (redacted === line && isPlain) return redacted;
  const value = parseJson(line) as Json | undefined;
  if (value === undefined || (isPlain && parseJson(redacted) !== undefined)) return redacted;
  const clean = redactValue(value, redact);
  if (clean === value) return redacted;
  return assumeRedacted(JSON.stringify(clean));
}
