import type { EngineEvent } from "../contract/engine.ts";
import { longestInlineBytes } from "../contract/run-fields.ts";
import { fromRedacted, type Redacted } from "../contract/redacted.ts";
import type { JournalLine, StreamNote } from "../contract/run-journal.ts";
import { cutJson, cutText } from "../engine/cut.ts";

/** An engine's events as lines of the run's log. `usage` is none of them: the log has running totals. */
export function createAgentNotes(
  engine: string,
  monotonicMs: () => number,
): (event: Redacted<EngineEvent>) => Redacted<StreamNote>[] {
  const calls = new Map<string, { name: string; startedMs: number }>();
  const cut = (text: string): string => cutText(text, longestInlineBytes);

  const noteOf = (event: EngineEvent): StreamNote | undefined => {
    switch (event.type) {
      case "init": {
        const { type: _, ...details } = event;
        return { type: "agent.init", engine, ...details };
      }
      case "message":
        return { type: "agent.message", text: cut(event.text) };
      case "thinking":
        return { type: "agent.thinking", text: cut(event.text) };
      case "tool_call": {
        const { id, name, input } = event;
        calls.set(id, { name, startedMs: monotonicMs() });
        return { type: "agent.tool_call", id, name, input: cutJson(input, longestInlineBytes) };
      }
      case "tool_result": {
        const { id, output, failed, exit_code } = event;
        const call = calls.get(id);
        calls.delete(id);
        const name = call?.name ?? event.name;
        const duration = event.duration_ms ?? (call && Math.round(monotonicMs() - call.startedMs));
        return {
          type: "agent.tool_result",
          id,
          ...(name !== undefined && { name }),
          output: cut(output),
          failed,
          ...(exit_code !== undefined && { exit_code }),
          ...(duration !== undefined && { duration_ms: duration }),
        };
      }
      case "error":
        return { type: "agent.error", message: cut(event.message) };
      case "oversized":
        return {
          type: "agent.error",
          message: `it printed a line of ${event.chars} characters; its transcript has it whole`,
        };
      case "compacted":
      case "delta":
      case "usage":
      case "result":
      // Only what a person is asked stands in the log.
      case "permission":
        return undefined;
    }
  };
  return (event) => {
    const note = fromRedacted(event, noteOf);
    return note ? [note] : [];
  };
}

/** The event that such a line tells of. Undefined for lines that tell of none, `agent.usage` among them: it is a total. */
export function eventOf(line: JournalLine): EngineEvent | undefined {
  switch (line.type) {
    case "agent.init":
      return { ...line, type: "init" };
    case "agent.message":
      return { ...line, type: "message" };
    case "agent.thinking":
      return { ...line, type: "thinking" };
    case "agent.tool_call":
      return { ...line, type: "tool_call" };
    case "agent.tool_result":
      return { ...line, type: "tool_result" };
    case "agent.error":
      return { ...line, type: "error" };
    default:
      return undefined;
  }
}
