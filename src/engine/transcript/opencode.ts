import { contentText } from "../content-text.ts";
import { fieldsOf, hasImpossibleCount, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { note } from "./about.ts";
import type { TranscriptAbout, TranscriptEvent, TranscriptReader } from "./event.ts";

/** Parts of a message that say nothing for a session. */
const silentParts = new Set(["step-start", "reasoning", "snapshot", "patch", "file", "agent", "subtask", "retry"]);

/**
 * A session of opencode. Its lines are the rows of its database in order: `{"session": row}`, then for each message
 * `{"message": row}` and its `{"part": row}`s, with what they hold under `data`.
 */
export function opencodeTranscript(): TranscriptReader {
  const about: TranscriptAbout = {};
  let role: string | undefined;
  let model: string | undefined;
  let isSummary = false;

  function read(line: Buffer): ReturnType<TranscriptReader["read"]> {
    const fields = objectIn(line.toString("utf8"));
    if (!fields) return { problem: "broken" };
    if (fields.session !== undefined) {
      const { id, parent_id, directory, title, agent } = fieldsOf(fields.session);
      note(about, { session: id, parent: parent_id, cwd: directory, title, ...(parent_id !== null && { agent }) });
      return undefined;
    }
    const row = fieldsOf(fields.message ?? fields.part);
    const data = fieldsOf(row.data);
    const at = timeOf(numberOf(row.time_created));
    if (fields.message !== undefined) {
      role = textOf(data.role);
      isSummary = data.summary === true;
      model = textOf(data.modelID) ?? model;
      const { cache, ...counts } = fieldsOf(data.tokens);
      const figures = { ...counts, ...fieldsOf(cache), cost: data.cost ?? null };
      const isImpossible = hasImpossibleCount(figures, Object.keys(figures));
      return { at, events: usageEvents(row, data), ...(isImpossible && { hasImpossibleCount: true }) };
    }
    const kind = textOf(data.type) ?? "none";
    const events = partEvents(kind, data);
    return events ? { at, events } : { problem: { unknown: kind } };
  }

  function partEvents(kind: string, part: Fields): TranscriptEvent[] | undefined {
    const text = textOf(part.text);
    switch (kind) {
      case "text":
        if (text === undefined || part.synthetic === true || isSummary) return [];
        return [role === "user" ? { type: "prompt", text } : { type: "message", text }];
      case "tool":
        return toolEvents(part);
      case "compaction":
        return [{ type: "compacted", text: "The conversation was compacted here." }];
      case "step-finish":
        return [];
      default:
        return silentParts.has(kind) ? [] : undefined;
    }
  }

  function usageEvents({ id }: Fields, { tokens, cost, role: who }: Fields): TranscriptEvent[] {
    const counts = fieldsOf(tokens);
    const { read: cached, write } = fieldsOf(counts.cache);
    const input = numberOf(counts.input) + numberOf(cached) + numberOf(write);
    const output = numberOf(counts.output) + numberOf(counts.reasoning);
    const messageId = textOf(id);
    if (who !== "assistant" || messageId === undefined || input + output === 0) return [];
    return [
      {
        type: "usage",
        message_id: messageId,
        ...(model !== undefined && { model }),
        input_tokens: input,
        ...(numberOf(cached) > 0 && { cached_input_tokens: numberOf(cached) }),
        output_tokens: output,
        ...(typeof cost === "number" && { cost_usd: numberOf(cost) }),
      },
    ];
  }

  return { about, read };
}

function toolEvents(part: Fields): TranscriptEvent[] {
  const id = textOf(part.callID);
  if (id === undefined) return [];
  const state = fieldsOf(part.state);
  const name = textOf(part.tool) ?? "unknown";
  const call: TranscriptEvent = {
    type: "tool_call",
    id,
    name,
    input: state.input ?? {},
    ...(name !== "task" && { startsNoAgent: true }),
  };
  if (state.status !== "completed" && state.status !== "error") return [call];
  const exit = fieldsOf(state.metadata).exit;
  const failed = state.status === "error" || (typeof exit === "number" && exit !== 0);
  return [call, { type: "tool_result", id, output: textOf(state.error) ?? contentText(state.output), failed }];
}

/** The longest time that a date can hold, in milliseconds. */
const longestMs = 8.64e15;

function timeOf(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), longestMs)).toISOString();
}
