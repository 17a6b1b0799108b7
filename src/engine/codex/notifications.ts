import type { EngineEvent, ResultEvent } from "../../contract/engine.ts";
import { fieldsOf, listOf, textOf, numberOf, type Fields } from "../read-fields.ts";
import { errorEvents, failureIn, messageEvents, stopIn } from "./errors.ts";
import { hasFailed, toolIn } from "./items.ts";
import { resultInForm } from "./result-form.ts";
import { ThreadsUsage } from "./usage.ts";

/** Turns what an app server tells of its threads into events. Methods that it does not know are passed over. */
export class NotificationReader {
  /** The thread of the agent itself; others belong to its subagents. */
  thread: string | undefined;
  /** The items that have begun and not ended, by id. */
  readonly items = new Map<string, Fields>();
  readonly #isResultAsked: boolean;
  /** Where the thread works. */
  readonly #folder: string;
  readonly #usage = new ThreadsUsage();
  /** By thread of a subagent: the call that started it. */
  readonly #parents = new Map<string, string>();
  readonly #denied = new Set<string>();
  #lastMessage = "";

  constructor(isResultAsked: boolean, folder: string) {
    this.#isResultAsked = isResultAsked;
    this.#folder = folder;
  }

  read(method: string, params: Fields): EngineEvent[] {
    switch (method) {
      case "turn/started":
        return this.#beginTurn(params);
      case "item/started":
        return this.#beginItem(fieldsOf(params.item), params);
      case "item/completed":
        return this.#endItem(fieldsOf(params.item), params);
      case "item/agentMessage/delta":
        return this.#delta("message", params);
      case "item/reasoning/summaryTextDelta":
      case "item/reasoning/textDelta":
        return this.#delta("thinking", params);
      case "thread/tokenUsage/updated":
        return this.#usage.update(params).map((event) => ({ ...event, ...this.#parentOf(params) }));
      case "turn/completed":
        return this.isOwn(params) ? this.#endTurn(fieldsOf(params.turn)) : [];
      case "error":
        return errorEvents(params);
      case "warning":
        return messageEvents(textOf(params.message));
      default:
        return [];
    }
  }

  /** Whether it tells of the agent itself. */
  isOwn({ threadId }: Fields): boolean {
    return textOf(threadId) === this.thread;
  }

  deny(tool: string): void {
    this.#denied.add(tool);
  }

  #beginTurn(params: Fields): EngineEvent[] {
    const [thread, turn] = [textOf(params.threadId), textOf(fieldsOf(params.turn).id)];
    if (thread !== undefined && turn !== undefined) this.#usage.begin(thread, turn);
    if (this.isOwn(params)) {
      this.#lastMessage = "";
      this.#denied.clear();
    }
    return [];
  }

  #beginItem(item: Fields, params: Fields): EngineEvent[] {
    const id = textOf(item.id);
    const tool = toolIn(item, this.#folder);
    if (id === undefined || tool === undefined) return [];
    this.items.set(id, item);
    for (const thread of listOf(item.receiverThreadIds).map(textOf)) {
      if (thread !== undefined && !this.#parents.has(thread)) this.#parents.set(thread, id);
    }
    return [{ type: "tool_call", id, name: tool.name, input: tool.input, ...this.#parentOf(params) }];
  }

  #endItem(item: Fields, params: Fields): EngineEvent[] {
    const id = textOf(item.id);
    const by = { ...(id !== undefined && { message_id: id }), ...this.#parentOf(params) };
    if (item.type === "agentMessage" || item.type === "plan") {
      const text = textOf(item.text);
      if (text === undefined) return [];
      if (this.isOwn(params)) this.#lastMessage = text;
      return [{ type: "message", text, ...by }];
    }
    if (item.type === "reasoning") {
      const parts = [...listOf(item.summary), ...listOf(item.content)].flatMap((part) => textOf(part) ?? []);
      const text = parts.join("\n\n");
      return text === "" ? [] : [{ type: "thinking", text, ...by }];
    }
    if (item.type === "contextCompaction" && this.isOwn(params)) {
      return [{ type: "compacted", text: "The conversation was compacted here." }];
    }
    return id === undefined ? [] : this.#endTool(id, item, params);
  }

  #endTool(id: string, item: Fields, params: Fields): EngineEvent[] {
    const tool = toolIn(item, this.#folder);
    if (tool === undefined) return [];
    const begun = this.items.has(id) ? [] : this.#beginItem(item, params);
    this.items.delete(id);
    const isDeclined = item.status === "declined";
    if (isDeclined) this.deny(tool.name);
    const output = isDeclined && tool.output === "" ? "It was not allowed." : tool.output;
    const duration = typeof item.durationMs === "number" && { duration_ms: numberOf(item.durationMs) };
    const exit = typeof item.exitCode === "number" && { exit_code: numberOf(item.exitCode) };
    const result = { id, name: tool.name, output, failed: hasFailed(item), ...exit, ...duration };
    return [...begun, { type: "tool_result", ...result, ...this.#parentOf(params) }];
  }

  #delta(of: "message" | "thinking", params: Fields): EngineEvent[] {
    const text = textOf(params.delta);
    const id = textOf(params.itemId);
    if (text === undefined) return [];
    return [{ type: "delta", of, text, ...(id !== undefined && { message_id: id }), ...this.#parentOf(params) }];
  }

  #endTurn(turn: Fields): EngineEvent[] {
    // What runs on after an interrupt is told of no more; after any other end a command in the background is.
    if (turn.status === "interrupted") this.items.clear();
    return [this.#result(turn)];
  }

  /** `items` of the turn has its last message, or nothing. */
  #result(turn: Fields): ResultEvent {
    const denied = [...this.#denied];
    if (turn.status !== "completed") {
      const failure = failureIn(turn);
      return { type: "result", failed: true, text: failure, denied, ...stopIn(failure) };
    }
    const told = listOf(turn.items)
      .map(fieldsOf)
      .findLast(({ type }) => type === "agentMessage");
    const text = textOf(told?.text) ?? this.#lastMessage;
    const structured = this.#isResultAsked ? resultInForm(text) : undefined;
    return { type: "result", failed: false, text, ...(structured !== undefined && { structured }), denied };
  }

  #parentOf(params: Fields): { parent?: string } {
    const thread = textOf(params.threadId);
    if (thread === undefined || this.isOwn(params)) return {};
    return { parent: this.#parents.get(thread) ?? thread };
  }
}
