import type { Json } from "../../contract/json.ts";
import { callArgs } from "../../text/tool-call.ts";
import { compactedEvent } from "../claude/stream.ts";
import { contentText } from "../content-text.ts";
import { fieldsOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { note } from "./about.ts";
import { realPrompt } from "./claude-prompt.ts";
import type { TranscriptAbout, TranscriptEvent, TranscriptReader } from "./event.ts";
import { withoutTag } from "./tags.ts";

/** A subagent at work: what it was called, and what it did so far. */
interface Subagent {
  agent: string;
  calls: string[];
}

/** So many calls of a subagent are told. */
const maxCalls = 500;
const maxResultChars = 100;

/** What an engine told its hooks, as Clew kept it: for an agent whose own transcript is not on this machine. */
export function hookTranscript(): TranscriptReader {
  const about: TranscriptAbout = {};
  /** Calls without a result yet, with the names of their tools. */
  const open = new Map<string, string>();
  /** Calls that were denied; what an engine tells of their end beside that is passed over. */
  const denied = new Set<string>();
  const subagents = new Map<string, Subagent>();
  let calls = 0;
  let answers = 0;

  function read(line: Buffer): ReturnType<TranscriptReader["read"]> {
    const fields = objectIn(line.toString("utf8"));
    const event = textOf(fields?.event);
    if (!fields || event === undefined) return { problem: "broken" };
    const hook = fieldsOf(fields.hook);
    const at = textOf(fields.at);
    note(about, { cwd: fields.folder, session: hook.session_id });
    const events = eventsOf(event, hook);
    return events.length === 0 ? undefined : { events, ...(at !== undefined && { at }) };
  }

  function eventsOf(event: string, hook: Fields): TranscriptEvent[] {
    if (event === "SubagentStart") return noteSubagent(hook);
    if (event === "SubagentStop") return endSubagent(hook);
    if (textOf(hook.agent_id) !== undefined) return noteCall(event, hook);
    switch (event) {
      case "UserPromptSubmit":
        return [...endOpenCalls(), ...realPrompt(withoutTag(textOf(hook.prompt) ?? "", "hook_context"))];
      case "PreToolUse":
        return [beginCall(hook)];
      case "PostToolUse":
      case "PostToolUseFailure":
        return endCall(hook, event === "PostToolUseFailure");
      case "PermissionDenied":
        return denyCall(hook);
      case "PostCompact":
        return [compactedEvent(hook.trigger === undefined ? {} : { trigger: hook.trigger })];
      case "Stop":
        return [...endOpenCalls(), ...message(textOf(hook.last_assistant_message) ?? textOf(hook.prompt_response))];
      case "SessionEnd":
        return endOpenCalls();
      case "StopFailure":
        return [{ type: "error", message: textOf(hook.error) ?? textOf(hook.reason) ?? "the agent failed" }];
      case "AfterModel":
        return usage(hook);
      default:
        return [];
    }
  }

  function beginCall(hook: Fields): TranscriptEvent {
    const name = textOf(hook.tool_name) ?? "unknown";
    const id = textOf(hook.tool_use_id) ?? `call-${++calls}`;
    open.set(id, name);
    return { type: "tool_call", id, name, input: hook.tool_input ?? {} };
  }

  function endCall(hook: Fields, hasFailed: boolean): TranscriptEvent[] {
    const name = textOf(hook.tool_name) ?? "unknown";
    // Gemini numbers no calls: the oldest of that tool has ended.
    const known = textOf(hook.tool_use_id) ?? [...open].find(([, each]) => each === name)?.[0];
    if (known !== undefined && denied.has(known)) return [];
    const begun = known !== undefined && open.has(known) ? [] : [beginCall(hook)];
    const id = known ?? [...open.keys()].at(-1)!;
    open.delete(id);
    const output = hasFailed ? (textOf(hook.error) ?? "failed") : resultText(hook.tool_response);
    return [...begun, { type: "tool_result", id, output, failed: hasFailed || saysFailed(output) }];
  }

  function denyCall(hook: Fields): TranscriptEvent[] {
    const id = textOf(hook.tool_use_id);
    const events = endCall({ ...hook, error: `denied: ${textOf(hook.reason) ?? "not allowed"}` }, true);
    if (id !== undefined) denied.add(id);
    return events;
  }

  /** The agent has gone on without their results: a person said no, or they were cut off. No hook tells which. */
  function endOpenCalls(): TranscriptEvent[] {
    const ids = [...open.keys()];
    open.clear();
    for (const id of ids) denied.add(id);
    const output = "no end was told: it was denied, or cut off";
    return ids.map((id) => ({ type: "tool_result", id, output, failed: true }));
  }

  function noteSubagent(hook: Fields): TranscriptEvent[] {
    const id = textOf(hook.agent_id);
    if (id !== undefined) subagents.set(id, { agent: textOf(hook.agent_type) ?? "subagent", calls: [] });
    return [];
  }

  function noteCall(event: string, hook: Fields): TranscriptEvent[] {
    if (event !== "PostToolUse" && event !== "PostToolUseFailure") return [];
    const subagent = subagents.get(textOf(hook.agent_id)!);
    if (!subagent || subagent.calls.length >= maxCalls) return [];
    const output = event === "PostToolUse" ? resultText(hook.tool_response) : `✗ ${textOf(hook.error) ?? "failed"}`;
    const [first = ""] = output.split("\n", 1);
    const call = `${textOf(hook.tool_name) ?? "unknown"} ${callArgs(hook.tool_input ?? {})}`;
    subagent.calls.push(`${call}${first === "" ? "" : ` → ${first.slice(0, maxResultChars).toWellFormed()}`}`);
    return [];
  }

  function endSubagent(hook: Fields): TranscriptEvent[] {
    const id = textOf(hook.agent_id) ?? "";
    const subagent = subagents.get(id);
    subagents.delete(id);
    const agent = subagent?.agent ?? textOf(hook.agent_type) ?? "subagent";
    const summary = textOf(hook.last_assistant_message) ?? "ended";
    return [{ type: "subagent", agent, summary, content: (subagent?.calls ?? []).join("\n") }];
  }

  /** Gemini tells of a model's answer in pieces, of which the last says why it ended. */
  function usage(hook: Fields): TranscriptEvent[] {
    const response = fieldsOf(hook.llm_response);
    const counts = fieldsOf(response.usageMetadata);
    const candidates = Array.isArray(response.candidates) ? response.candidates : [];
    if (!candidates.some((each) => textOf(fieldsOf(each).finishReason) !== undefined)) return [];
    const input = numberOf(counts.promptTokenCount);
    const output = numberOf(counts.candidatesTokenCount) + numberOf(counts.thoughtsTokenCount);
    if (input + output === 0) return [];
    const model = textOf(fieldsOf(hook.llm_request).model);
    const id = `${about.session ?? ""}-${++answers}`;
    return [{ type: "usage", message_id: id, ...(model && { model }), input_tokens: input, output_tokens: output }];
  }

  return { about, read };
}

function message(text: string | undefined): TranscriptEvent[] {
  return text === undefined ? [] : [{ type: "message", text }];
}

/** What a tool gave back: engines send a text, blocks, or fields in which one holds what the model saw. */
function resultText(response: Json | undefined): string {
  if (typeof response === "string" || Array.isArray(response)) return contentText(response);
  const fields = fieldsOf(response);
  const printed = [fields.stdout, fields.stderr].flatMap((each) => textOf(each) ?? []);
  if (printed.length > 0 || fields.stdout !== undefined) return printed.join("\n");
  if (fields.llmContent !== undefined) return contentText(fields.llmContent);
  if (fields.content !== undefined && fields.filePath === undefined) return contentText(fields.content);
  return Object.keys(fields).length === 0 ? "" : JSON.stringify(fields);
}

/** Codex has no event for a call that failed, but says how the command ended. */
function saysFailed(output: string): boolean {
  return /^Exit code: [1-9]/.test(output);
}
