import type { EngineEvent } from "../../contract/engine.ts";
import { fieldsOf, textOf, type Fields } from "../read-fields.ts";
import { acpContentText, exitCodeOf, inputOf, nameOf, outputOf } from "./tool-calls.ts";

/** A longer message is told in parts: an agent may never come to its end. */
const maxTextChars = 1_000_000;

interface Call {
  /** All that was told of it; what is told again replaces what was told before. */
  fields: Fields;
  announcedTitle: string | undefined;
  isReported: boolean;
  isDenied: boolean;
}

/** What an agent tells while it works (`session/update`), as events. One for each session; takes anything. */
export class AcpUpdates {
  readonly #calls = new Map<string, Call>();
  #of: "message" | "thinking" = "message";
  #messageId: string | undefined;
  #text = "";
  #lastMessage = "";

  /** What the agent said last in this round. */
  get lastMessage(): string {
    return this.#lastMessage;
  }

  read(update: Fields): EngineEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#addPiece("message", update);
      case "agent_thought_chunk":
        return this.#addPiece("thinking", update);
      case "tool_call":
      case "tool_call_update":
        return [...this.#flush(), ...this.#readCall(update)];
      default:
        // Plans, lists of commands, sizes of the context.
        return [];
    }
  }

  /** A call that waits for permission: its input is known now. */
  tellCall(fields: Fields): { events: EngineEvent[]; call: Fields; name: string } {
    const call = this.#callOf(fields);
    const events = [...this.#flush(), ...(call ? this.#tell(call) : [])];
    return { events, call: call?.fields ?? fields, name: nameOf(call?.fields ?? fields, call?.announcedTitle) };
  }

  noteDenial(callId: string): void {
    const call = this.#calls.get(callId);
    if (call) call.isDenied = true;
  }

  /** Every call has a result: Gemini tells none of a denied one, and an interrupt may leave one without. */
  endRound(): EngineEvent[] {
    const events = this.#flush();
    for (const [id, call] of this.#calls) {
      const output = call.isDenied ? "It was not allowed." : "The round ended before it did.";
      events.push(...this.#tell(call), { type: "tool_result", id, output, failed: true });
    }
    this.#calls.clear();
    return events;
  }

  beginRound(): void {
    this.#lastMessage = "";
  }

  #addPiece(of: "message" | "thinking", update: Fields): EngineEvent[] {
    const content = fieldsOf(update.content);
    const text = acpContentText(content);
    const messageId = textOf(update.messageId);
    const isOther = of !== this.#of || messageId !== this.#messageId || this.#text.length + text.length > maxTextChars;
    const events = isOther ? this.#flush() : [];
    if (text === "") return events;
    this.#of = of;
    this.#messageId = messageId;
    this.#text += text;
    return [...events, { type: "delta", of, text, ...(messageId && { message_id: messageId }) }];
  }

  #flush(): EngineEvent[] {
    const text = this.#text;
    this.#text = "";
    if (text === "") return [];
    if (this.#of === "message") this.#lastMessage = text;
    return [{ type: this.#of, text, ...(this.#messageId && { message_id: this.#messageId }) }];
  }

  #readCall(update: Fields): EngineEvent[] {
    const call = this.#callOf(update);
    const id = textOf(update.toolCallId);
    if (!call || id === undefined) return [];
    const { status } = call.fields;
    // While a call is pending, its input is still being written.
    if (status === undefined || status === "pending") return [];
    const events = this.#tell(call);
    if (status !== "completed" && status !== "failed") return events;
    this.#calls.delete(id);
    const name = nameOf(call.fields, call.announcedTitle);
    const exit = exitCodeOf(call.fields);
    const ended = { output: outputOf(call.fields), failed: status === "failed" };
    return [...events, { type: "tool_result", id, name, ...ended, ...(exit !== undefined && { exit_code: exit }) }];
  }

  #callOf(update: Fields): Call | undefined {
    const id = textOf(update.toolCallId);
    if (id === undefined) return undefined;
    const known = this.#calls.get(id);
    const news = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null));
    const fields = { ...known?.fields, ...news };
    const isAnnounced = update.sessionUpdate === "tool_call" && update.status === "pending";
    const announcedTitle = known?.announcedTitle ?? (isAnnounced ? textOf(update.title) : undefined);
    const call = { ...(known ?? { isReported: false, isDenied: false }), fields, announcedTitle };
    this.#calls.set(id, call);
    return call;
  }

  #tell(call: Call): EngineEvent[] {
    const id = textOf(call.fields.toolCallId);
    if (call.isReported || id === undefined) return [];
    call.isReported = true;
    return [{ type: "tool_call", id, name: nameOf(call.fields, call.announcedTitle), input: inputOf(call.fields) }];
  }
}
