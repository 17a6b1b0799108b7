import type {
  CallAction,
  CompactedEvent,
  EngineEvent,
  PermissionOption,
  ResultEvent,
  UsageEvent,
} from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import { addUsage, type Usage } from "../../contract/run.ts";
import { contentText } from "../content-text.ts";
import { isEditTool } from "../edit-tools.ts";
import { isQwens, modelUsageIn, usageIn } from "./usage.ts";
import { fieldsOf, listOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { createStrayText } from "../stray-text.ts";

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
  const figuresByMessage = new Map<string, string>();
  let total: Usage = noUsage;
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
        return toolResults(fields);
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
        return [sessionUsage(fields), resultEvent(fields)];
      default:
        return [];
    }
  }

  /** Every line of a message repeats its figures; they are told when they change. */
  function messageUsage(fields: Fields): UsageEvent[] {
    const message = fieldsOf(fields.message);
    const id = textOf(message.id);
    const usage = usageIn(fieldsOf(message.usage));
    const figures = JSON.stringify(usage);
    if (!hasFigures(message) || id === undefined || figuresByMessage.get(id) === figures) return [];
    figuresByMessage.set(id, figures);
    if (figuresByMessage.size > maxMessages) figuresByMessage.delete(figuresByMessage.keys().next().value!);
    return [{ type: "usage", of: "message", message_id: id, ...parentOf(fields), ...usage }];
  }

  /**
   * What this start of the engine used up to a result. `modelUsage` and `total_cost_usd` run on over a resumed session, so
   * that what came since the result before is added up instead, where it is told. `usage` counts from the result before,
   * but for Qwen's.
   */
  function sessionUsage(fields: Fields): UsageEvent {
    const counts = fieldsOf(fields.usage);
    const cost = typeof fields.total_cost_usd === "number" ? { cost_usd: numberOf(fields.total_cost_usd) } : {};
    const { cost_usd: _, ...tokens } = isQwens(counts) ? usageIn(counts) : addUsage(total, usageIn(counts));
    const sinceLast = fields.model_usage_since_last_result;
    if (sinceLast === undefined) total = { ...(modelUsageIn(fieldsOf(fields.modelUsage)) ?? tokens), ...cost };
    else total = addUsage(total, modelUsageIn(fieldsOf(sinceLast)) ?? { ...noUsage, cost_usd: 0 });
    return { type: "usage", of: "session", ...total };
  }

  return {
    push,
    // Real engines print stray lines and work all the same; only when no result came may they be the reason.
    end: () => (hasResult ? [] : strayText.explain()),
  };
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
    if (block.type === "text" && text !== undefined) return [{ type: "message", text, ...by }];
    if (block.type === "thinking" && thinking !== undefined) return [{ type: "thinking", text: thinking, ...by }];
    if (block.type !== "tool_use" || id === undefined) return [];
    const name = textOf(block.name) ?? "unknown";
    return [{ type: "tool_call", id, name, input: block.input ?? {}, ...parentOf(fields) }];
  });
}

/** Other user lines are prompts and what hooks said to the model. */
function toolResults(fields: Fields): EngineEvent[] {
  return listOf(fieldsOf(fields.message).content).flatMap((item): EngineEvent[] => {
    const block = fieldsOf(item);
    const id = textOf(block.tool_use_id);
    if (block.type !== "tool_result" || id === undefined) return [];
    const output = contentText(block.content);
    return [{ type: "tool_result", id, output, failed: block.is_error === true, ...parentOf(fields) }];
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

const allowOrDeny: PermissionOption[] = [
  { id: "allow", label: "Allow", kind: "allow_once" },
  { id: "deny", label: "Deny", kind: "reject_once" },
];
const alwaysToo: PermissionOption[] = [
  ...allowOrDeny,
  { id: "always", label: "Allow in this session", kind: "allow_always" },
];

/** The rules that would allow a call and its like; for this session alone, whatever the engine suggests: no file keeps them. */
export function sessionRules(request: Fields): Json[] {
  return listOf(request.permission_suggestions).flatMap((each) => {
    const suggestion = fieldsOf(each);
    const isRule = suggestion.type === "addRules" && suggestion.behavior === "allow";
    return isRule ? [{ ...suggestion, destination: "session" }] : [];
  });
}

const readers = new Set(["Read", "Glob", "Grep", "LS", "read_file", "glob", "grep_search", "list_directory"]);
const shells = new Set(["Bash", "run_shell_command"]);

/** Names of tools: those of Claude first, then those of Qwen. */
function actionOf(tool: string, input: Fields): CallAction | undefined {
  // What Glob looks for is a path as well.
  const pattern = tool.toLowerCase() === "glob" ? input.pattern : undefined;
  const paths = [input.file_path, input.notebook_path, input.path, pattern].flatMap((path) => textOf(path) ?? []);
  const command = textOf(input.command);
  if (readers.has(tool)) return { kind: "read", paths };
  if (isEditTool(tool)) return { kind: "edit", paths };
  if (shells.has(tool) && command !== undefined) return { kind: "run", command };
  if (tool === "mcp__clew__submit_result") return { kind: "result" };
  return undefined;
}

function permissionEvents(fields: Fields): EngineEvent[] {
  const request = fieldsOf(fields.request);
  const id = textOf(fields.request_id);
  const tool = textOf(request.tool_name);
  if (request.subtype !== "can_use_tool" || id === undefined || tool === undefined) return [];
  const call = textOf(request.tool_use_id);
  const action = actionOf(tool, fieldsOf(request.input));
  const options = sessionRules(request).length > 0 ? alwaysToo : allowOrDeny;
  const permission = { id, tool, input: request.input ?? {}, options, ...(action && { action }) };
  return [{ type: "permission", ...permission, ...(call !== undefined && { tool_call: call }) }];
}

/** Another surface, such as a hook, has answered first. */
function withdrawalEvents(fields: Fields): EngineEvent[] {
  const id = textOf(fields.request_id);
  return id === undefined ? [] : [{ type: "permission", id, tool: "", input: {}, options: [], withdrawn: true }];
}

function resultEvent(fields: Fields): ResultEvent {
  const errors = listOf(fields.errors).filter((error) => typeof error === "string");
  const words = [fields.result, errors.join("; "), fieldsOf(fields.error).message, fields.subtype].map(textOf);
  const structured = fields.structured_output;
  const denied = listOf(fields.permission_denials).map((denial) => textOf(fieldsOf(denial).tool_name) ?? "unknown");
  return {
    type: "result",
    // A missing result text is no failure: `is_error` alone tells.
    failed: fields.is_error === true,
    text: (fields.is_error === true ? words.find(Boolean) : textOf(fields.result)) ?? "",
    ...(structured !== undefined && structured !== null && { structured }),
    denied: [...new Set(denied)],
  };
}
