import type { CompactedEvent, EngineEvent, ErrorEvent, UsageEvent } from "../../contract/engine.ts";
import { addUsage, type Usage } from "../../contract/run.ts";
import { contentText } from "../content-text.ts";
import { fieldsOf, listOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { createStrayText } from "../stray-text.ts";
import { difference } from "../usage-count.ts";
import { exitCodeOf } from "./exit-code.ts";
import { permissionEvents, withdrawalEvents } from "./permission-requests.ts";
import { resultEvent } from "./result-event.ts";
import { isQwens, modelUsageIn, usageIn } from "./usage.ts";

/** Turns the lines of one engine session into events. Takes any text and never throws. */
export interface ClaudeReader {
  /** One line, without its end. */
  push(line: string): EngineEvent[];
  /** The stream is over: what can only be said now. */
  end(): EngineEvent[];
}

/**
 * Reads the stream-JSON of Claude Code, which Qwen Code and the scripted engine print as well. Types that it does not
 * know are passed over: each version has new ones.
 */
export function createClaudeReader({ isResumed = false } = {}): ClaudeReader {
  const strayText = createStrayText();
  const usageByMessage = new Map<string, Usage>();
  let total: Usage = noUsage;
  /** What messages told since the last result. */
  let sinceResult: Usage = noUsage;
  let hasResult = false;

  function push(line: string): EngineEvent[] {
    const fields = objectIn(line);
    if (!fields) {
      strayText.add(line);
      return [];
    }
    switch (fields.type) {
      case "system":
        return systemEvents(fields);
      case "assistant":
        return [...blockEvents(fields), ...messageUsage(fields)];
      case "user":
        return [...toolResults(fields), ...secondTries(fields)];
      case "stream_event":
        return deltaEvents(fields);
      case "control_request":
        return permissionEvents(fields);
      case "control_cancel_request":
        return withdrawalEvents(fields);
      case "result":
        hasResult = true;
        // Qwen counts on from an earlier session, by an unknown figure; then its messages' own count.
        if (isResumed && isQwens(fieldsOf(fields.usage))) return [resultEvent(fields)];
        return [...sessionUsage(fields), resultEvent(fields)];
      default:
        return [];
    }
  }

  /** Every line of a message repeats its figures; they are told when they change. */
  function messageUsage(fields: Fields): UsageEvent[] {
    const message = fieldsOf(fields.message);
    const id = textOf(message.id);
    const usage = usageIn(fieldsOf(message.usage));
    if (!hasFigures(message) || id === undefined) return [];
    const before = usageByMessage.get(id);
    if (JSON.stringify(before) === JSON.stringify(usage)) return [];
    usageByMessage.set(id, usage);
    if (usageByMessage.size > maxMessages) usageByMessage.delete(usageByMessage.keys().next().value!);
    sinceResult = addUsage(before ? difference(sinceResult, before) : sinceResult, usage);
    const model = textOf(message.model);
    const by = { message_id: id, ...(model !== undefined && { model }), ...parentOf(fields) };
    return [{ type: "usage", of: "message", ...by, ...usage }];
  }

  /**
   * What this start of the engine used up to a result. `modelUsage` and `total_cost_usd` run on over a resumed session, so
   * that what came since the result before is added up instead, where it is told. `usage` counts from the result before,
   * but for Qwen's. Where a result tells no tokens, those of its messages count.
   */
  function sessionUsage(fields: Fields): UsageEvent[] {
    const counts = fieldsOf(fields.usage);
    const cost = typeof fields.total_cost_usd === "number" ? { cost_usd: numberOf(fields.total_cost_usd) } : {};
    const sinceLast = fields.model_usage_since_last_result;
    const byModel = modelUsageIn(fieldsOf(fields.modelUsage));
    const ofMessages = sinceResult;
    sinceResult = noUsage;
    const hasTokens = tellsTokens(counts) || byModel !== undefined || sinceLast !== undefined;
    if (!hasTokens && cost.cost_usd === undefined && ofMessages === noUsage) return [];
    const counted = hasTokens ? usageIn(counts) : ofMessages;
    const { cost_usd: _, ...tokens } = isQwens(counts) ? counted : addUsage(total, counted);
    if (sinceLast === undefined) total = { ...(byModel ?? tokens), ...cost };
    else total = addUsage(total, modelUsageIn(fieldsOf(sinceLast)) ?? { ...noUsage, cost_usd: 0 });
    return [{ type: "usage", of: "session", ...total }];
  }

  return {
    push,
    // Real engines print stray lines and work all the same; only when no result came may they be the reason.
    end: () => (hasResult ? [] : strayText.explain()),
  };
}

function tellsTokens(usage: Fields): boolean {
  const { input_tokens, output_tokens } = usageIn(usage);
  return input_tokens + output_tokens > 0;
}

/** Lines of one message come close together, also where subagents work at once: a session may have any number of messages. */
const maxMessages = 1_000;

/**
 * Whether a line tells what its message used. Qwen gives zeros on all lines of a message but one, and each line an id of
 * its own. What no model said, such as the words on an error of its API, is no round.
 */
function hasFigures({ usage, model }: Fields): boolean {
  const { input_tokens, output_tokens, cache_read_input_tokens } = fieldsOf(usage);
  const isZero = numberOf(input_tokens) + numberOf(output_tokens) + numberOf(cache_read_input_tokens) === 0;
  return !isZero || (cache_read_input_tokens !== undefined && model !== "<synthetic>");
}

/** What is told of a compaction, in a stream or a transcript. */
export function compactedEvent({ trigger, pre_tokens: before }: Fields): CompactedEvent {
  const how = [textOf(trigger), before === undefined ? undefined : `${numberOf(before)} tokens before`];
  const details = how.filter((each) => each !== undefined).join(", ");
  return { type: "compacted", text: `The conversation was compacted here${details && ` (${details})`}.` };
}

const noUsage: Usage = { input_tokens: 0, output_tokens: 0 };

function systemEvents(fields: Fields): EngineEvent[] {
  if (fields.subtype === "init") {
    const session = textOf(fields.session_id);
    const model = textOf(fields.model);
    return [{ type: "init", ...(session && { engine_session: session }), ...(model && { model }) }];
  }
  if (fields.subtype === "api_retry") {
    const cause = [numberOf(fields.error_status) || undefined, textOf(fields.error)].filter(Boolean).join(" ");
    const tries = `try ${numberOf(fields.attempt)} of ${numberOf(fields.max_retries)}`;
    return [{ type: "error", message: `the model's API answered: ${cause || "an error"}; trying again (${tries})` }];
  }
  // Qwen asks its model again, and tells whether what it said so far counts.
  if (fields.subtype === "retry") return [retryEvent(fieldsOf(fields.data).preserveText === true)];
  if (fields.subtype === "compact_boundary") return [compactedEvent(fieldsOf(fields.compact_metadata))];
  return [];
}

/** Who said it: the message, and the tool call under which a subagent works. */
function speaker(fields: Fields, messageId: string | undefined): { message_id?: string; parent?: string } {
  return { ...(messageId && { message_id: messageId }), ...parentOf(fields) };
}

function parentOf(fields: Fields): { parent?: string } {
  const parent = textOf(fields.parent_tool_use_id);
  return parent === undefined ? {} : { parent };
}

function blockEvents(fields: Fields): EngineEvent[] {
  const message = fieldsOf(fields.message);
  const by = speaker(fields, textOf(message.id));
  return listOf(message.content).flatMap((item): EngineEvent[] => {
    const block = fieldsOf(item);
    const text = textOf(block.text);
    const thinking = textOf(block.thinking);
    const id = textOf(block.id);
    const byEngine = message.model === "<synthetic>" && { by_engine: true as const };
    if (block.type === "text" && text !== undefined) return [{ type: "message", text, ...by, ...byEngine }];
    if (block.type === "thinking" && thinking !== undefined) return [{ type: "thinking", text: thinking, ...by }];
    if (block.type !== "tool_use" || id === undefined) return [];
    const name = textOf(block.name) ?? "unknown";
    return [{ type: "tool_call", id, name, input: block.input ?? {}, ...by }];
  });
}

/** Claude asks its model to go on where it reached its limit, and once more where its safeguards stopped it. */
function secondTries(fields: Fields): ErrorEvent[] {
  if (fields.isSynthetic !== true) return [];
  if (textOf(fields.refused_message_id) !== undefined) {
    const message = "the model's safeguards stopped its answer; it is asked once more";
    return [{ type: "error", message, answer: "discarded" }];
  }
  const said = contentText(fieldsOf(fields.message).content);
  return said.startsWith("Output token limit hit.") ? [retryEvent(true)] : [];
}

function retryEvent(goesOn: boolean): ErrorEvent {
  if (!goesOn) return { type: "error", message: "the model is asked again", answer: "discarded" };
  const message = "the model's answer reached its limit of tokens; it is asked to go on";
  return { type: "error", message, answer: "continued" };
}

/** Other user lines are prompts and what hooks said to the model. */
function toolResults(fields: Fields): EngineEvent[] {
  return listOf(fieldsOf(fields.message).content).flatMap((item): EngineEvent[] => {
    const block = fieldsOf(item);
    const id = textOf(block.tool_use_id);
    if (block.type !== "tool_result" || id === undefined) return [];
    const output = contentText(block.content);
    const failed = block.is_error === true;
    const exit = exitCodeOf(output, failed, fields.tool_use_result);
    const ended = exit === undefined ? {} : { exit_code: exit };
    return [{ type: "tool_result", id, output, failed, ...ended, ...parentOf(fields) }];
  });
}

function deltaEvents(fields: Fields): EngineEvent[] {
  const delta = fieldsOf(fieldsOf(fields.event).delta);
  const by = speaker(fields, textOf(fields.api_message_id));
  const text = textOf(delta.text);
  const thinking = textOf(delta.thinking);
  if (delta.type === "text_delta" && text !== undefined) return [{ type: "delta", of: "message", text, ...by }];
  if (delta.type === "thinking_delta" && thinking !== undefined) {
    return [{ type: "delta", of: "thinking", text: thinking, ...by }];
  }
  return [];
}
