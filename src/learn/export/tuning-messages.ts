import type { Piece } from "../../contract/api/learn.ts";
import type { Entry } from "../../contract/session.ts";
import { failureText } from "../cases/failure-text.ts";
import { callArguments } from "./call-arguments.ts";

/** A call as TRL reads it: its arguments are an object. OpenAI wants them as the text of one. */
interface ToolCall<Arguments> {
  id: string;
  type: "function";
  function: { name: string; arguments: Arguments };
}

/** What an agent said and did, and what its tools answered: no assistant says what a tool printed. */
export type Message<Arguments = Record<string, unknown>> =
  | { role: "user"; content: string }
  | { role: "assistant"; content: string; tool_calls?: ToolCall<Arguments>[] }
  | { role: "tool"; tool_call_id: string; name?: string; content: string };

/** The names of the tools that a line has calls of, with the fields that these calls give. */
export interface Tool {
  type: "function";
  function: { name: string; parameters: { type: "object"; properties: Record<string, { type: string }> } };
}

/**
 * The entries of an agent as messages, in their order. The last one is the assistant's: what a tool answered to the last call is nothing to
 * be learned. Empty where no agent said or did anything.
 */
export function messagesOf(pieces: readonly Piece[]): Message[] {
  const messages: Message[] = [];
  let calls = 0;
  const say = (text: string): void => {
    const last = messages.at(-1);
    if (text === "") return;
    if (last?.role === "assistant" && !last.tool_calls) last.content += `\n\n${text}`;
    else messages.push({ role: "assistant", content: text });
  };
  const call = (name: string, args: Record<string, unknown>, answer: string): void => {
    const id = `call_${++calls}`;
    const toolCall = { id, type: "function" as const, function: { name, arguments: args } };
    const last = messages.at(-1);
    if (last?.role === "assistant") last.tool_calls = [toolCall];
    else messages.push({ role: "assistant", content: "", tool_calls: [toolCall] });
    messages.push({ role: "tool", tool_call_id: id, name, content: answer });
  };
  for (const { entry } of pieces) {
    if (entry.kind === "tool") call(functionName(entry.name), callArguments(entry), answerOf(entry));
    else if (entry.kind === "subagent") {
      const { agent, mode, summary, content } = entry;
      call("subagent", { agent, mode }, summary ?? content ?? noOutput);
    } else say(wordsOf(entry));
  }
  if (messages.at(-1)?.role === "tool") messages.pop();
  return messages;
}

/** Readers differ on an answer without any text. */
const noOutput = "(no output)";

function answerOf(entry: Extract<Entry, { kind: "tool" }>): string {
  return failureText(entry) || (entry.failed ? "(failed)" : noOutput);
}

/** What the agent said. Of an error it is how it was resolved; of the user's words, what was done at them. */
function wordsOf(entry: Exclude<Entry, { kind: "tool" | "subagent" }>): string {
  switch (entry.kind) {
    case "error":
      return entry.resolution ?? "";
    case "user":
      return entry.action ?? "";
    case "text":
    case "decision":
    case "task_complete":
      return entry.text;
    default:
      return "";
  }
}

/** What functions may be called by. */
function functionName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "tool";
}

/** The same messages as OpenAI reads them. */
export function withTextArguments(messages: readonly Message[]): Message<string>[] {
  return messages.map((message): Message<string> => {
    if (message.role === "tool") return { role: "tool", tool_call_id: message.tool_call_id, content: message.content };
    if (message.role === "user" || !message.tool_calls) return message as Message<string>;
    const calls = message.tool_calls.map((each) => ({
      ...each,
      function: { name: each.function.name, arguments: JSON.stringify(each.function.arguments) },
    }));
    return { ...message, tool_calls: calls };
  });
}

/** The tools that these messages call, in the order of their names. What else they take is not known. */
export function toolsIn(messages: readonly Message[]): Tool[] {
  const fieldsOf = new Map<string, Map<string, string>>();
  for (const message of messages) {
    for (const { function: called } of (message.role === "assistant" && message.tool_calls) || []) {
      const fields = fieldsOf.get(called.name) ?? new Map<string, string>();
      fieldsOf.set(called.name, fields);
      for (const [field, value] of Object.entries(called.arguments)) fields.set(field, typeInJson(value));
    }
  }
  const byName = [...fieldsOf].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, fields]) => ({
    type: "function",
    function: {
      name,
      parameters: {
        type: "object",
        properties: Object.fromEntries([...fields].map(([field, type]) => [field, { type }])),
      },
    },
  }));
}

function typeInJson(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
