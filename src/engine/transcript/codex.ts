import type { Json } from "../../contract/json.ts";
import type { Usage } from "../../contract/run.ts";
import { innerCommand } from "../codex/items.ts";
import { contentText } from "../content-text.ts";
import { fieldsOf, hasImpossibleCount, listOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { difference } from "../usage-count.ts";
import { note } from "./about.ts";
import { codexResult } from "./codex-result.ts";
import type { TranscriptAbout, TranscriptEvent, TranscriptReader } from "./event.ts";

/** Kinds of lines that say nothing for a session. */
const silentKinds = new Set(["world_state", "inter_agent_communication_metadata", "ghost_snapshot"]);
const counted = ["input_tokens", "cached_input_tokens", "output_tokens"];
/** What the program tells the model in a person's name. */
const notAPersons =
  /^(?:<(?:environment_context|user_instructions|skills_instructions|permissions|turn_aborted|user_shell_command|INSTRUCTIONS)|# AGENTS\.md instructions)/;

/** The rollouts of Codex, of a thread or a subagent's thread. */
export function codexTranscript(): TranscriptReader {
  const about: TranscriptAbout = {};
  let model: string | undefined;
  /** Newer versions tell what each response used; earlier ones only the sum so far. */
  let hasRecords = false;
  let total: Usage = { input_tokens: 0, output_tokens: 0 };
  /** The same words may stand there as an item of the model and as an event. */
  const lastWords = { prompt: "", message: "" };

  function read(line: Buffer): ReturnType<TranscriptReader["read"]> {
    const fields = objectIn(line.toString("utf8"));
    if (!fields) return { problem: "broken" };
    const kind = textOf(fields.type) ?? "";
    const payload = fieldsOf(fields.payload);
    const events = eventsOf(kind, payload);
    if (!events) return silentKinds.has(kind) ? undefined : { problem: { unknown: kind || "none" } };
    const at = textOf(fields.timestamp);
    const isImpossible = hasImpossibleCount(countsIn(payload), counted);
    return { events, ...(at !== undefined && { at }), ...(isImpossible && { hasImpossibleCount: true }) };
  }

  function eventsOf(kind: string, payload: Fields): TranscriptEvent[] | undefined {
    switch (kind) {
      case "session_meta":
        noteMeta(payload);
        return [];
      case "turn_context":
        model = textOf(payload.model) ?? model;
        note(about, { cwd: payload.cwd });
        return [];
      case "response_item":
        return itemEvents(payload);
      case "event_msg":
        return messageEvents(payload);
      case "token_usage_record":
        hasRecords = true;
        return usageEvents(textOf(payload.response_id), usageIn(countsIn(payload)));
      case "compacted":
        return [{ type: "compacted", text: "The conversation was compacted here." }];
      default:
        return undefined;
    }
  }

  function noteMeta(payload: Fields): void {
    const { id, session_id, parent_thread_id, cwd, git, agent_role, agent_nickname, agent_path } = payload;
    if (about.session !== undefined) return;
    const parent = parent_thread_id ?? (session_id === id ? undefined : session_id);
    note(about, { session: id ?? session_id, parent, cwd, branch: fieldsOf(git).branch });
    note(about, { agent: textOf(agent_role) ?? agent_nickname, title: agent_path });
  }

  function itemEvents(item: Fields): TranscriptEvent[] {
    const id = textOf(item.call_id) ?? textOf(item.id);
    switch (item.type) {
      case "message":
        return wordEvents(item.role, contentText(item.content));
      case "agent_message":
        return wordEvents("user", textParts(item.content));
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call":
      case "web_search_call": {
        if (id === undefined) return [];
        const name = textOf(item.name) ?? (item.type === "web_search_call" ? "web_search" : "shell");
        return [{ type: "tool_call", id, name, input: inputOf(item) }];
      }
      case "function_call_output":
      case "custom_tool_call_output":
        return id === undefined ? [] : [{ type: "tool_result", id, ...codexResult(item.output) }];
      default:
        return [];
    }
  }

  function messageEvents(payload: Fields): TranscriptEvent[] {
    const item = fieldsOf(payload.item);
    switch (payload.type) {
      case "user_message":
        return wordEvents("user", textOf(payload.message) ?? "");
      case "agent_message":
        return wordEvents("assistant", textOf(payload.message) ?? "");
      case "item_completed":
        if (item.type === "UserMessage") return wordEvents("user", contentText(item.content));
        return item.type === "AgentMessage" ? wordEvents("assistant", contentText(item.content)) : [];
      case "token_count":
        return countEvents(countsIn(payload));
      case "turn_aborted":
        return [{ type: "user", text: `[${textOf(payload.reason) ?? "interrupted"}]` }];
      case "error":
        return [{ type: "error", message: textOf(payload.message) ?? "an error" }];
      default:
        return [];
    }
  }

  function wordEvents(role: Json | undefined, text: string): TranscriptEvent[] {
    const kind = role === "user" ? "prompt" : "message";
    if ((role !== "user" && role !== "assistant") || text.trim() === "" || lastWords[kind] === text) return [];
    if (kind === "prompt" && notAPersons.test(text.trimStart())) return [];
    lastWords[kind] = text;
    return [{ type: kind, text }];
  }

  function countEvents(counts: Fields): TranscriptEvent[] {
    // Without a sum that can be, the next one tells what was used since the last.
    if (hasRecords || counts.input_tokens === undefined || hasImpossibleCount(counts, counted)) return [];
    const sum = usageIn(counts);
    const more = difference(sum, total);
    total = sum;
    return usageEvents(`${about.session ?? ""} ${sum.input_tokens + sum.output_tokens}`, more);
  }

  function usageEvents(id: string | undefined, usage: Usage): TranscriptEvent[] {
    if (id === undefined || usage.input_tokens + usage.output_tokens === 0) return [];
    return [{ type: "usage", message_id: id, ...(model !== undefined && { model }), ...usage }];
  }

  return { about, read };
}

/** What a record of one response, or a count of all so far, tells. */
function countsIn({ usage, info }: Fields): Fields {
  return fieldsOf(usage ?? fieldsOf(info).total_token_usage);
}

/** What came from a cache is among the input, and what was thought among the output. */
function usageIn(counts: Fields): Usage {
  const cached = numberOf(counts.cached_input_tokens);
  return {
    input_tokens: numberOf(counts.input_tokens),
    ...(cached > 0 && { cached_input_tokens: cached }),
    output_tokens: numberOf(counts.output_tokens),
  };
}

function textParts(content: Json | undefined): string {
  return listOf(content)
    .map((part) => textOf(fieldsOf(part).text) ?? "")
    .join("");
}

/** The command, where the tool is a shell; arguments are JSON in a text. */
function inputOf(item: Fields): Json {
  const { arguments: args, input, action } = item;
  const fields = fieldsOf(action ?? (typeof args === "string" ? (objectIn(args) ?? args) : args));
  const words = listOf(fields.command).filter((word) => typeof word === "string");
  if (words.length > 0) return { command: scriptIn(words) };
  if (typeof fields.cmd === "string") return { command: innerCommand(fields.cmd) };
  return Object.keys(fields).length > 0 ? fields : (input ?? args ?? {});
}

/** `ls` of `["bash", "-lc", "ls"]`. */
function scriptIn(words: string[]): string {
  const [shell = "", option = "", script] = words;
  const isShell = words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option);
  return isShell ? script! : words.join(" ");
}
