import type { Json } from "../../../contract/grimoire.ts";
import { createLines } from "../../../engine/line-splitter.ts";
import { fieldsOf, listOf, objectIn, textOf, type Fields } from "../../../engine/read-fields.ts";
import { interrupted, type Answer } from "./play.ts";

/** A message to play for; `signal` is aborted when it is interrupted. */
export interface Message {
  text: string;
  signal: AbortSignal;
}

interface QueuedMessage {
  text: string;
  interrupt: AbortController;
}

/** Reads messages in Claude's form from stdin while the engine plays. Unknown lines are ignored. */
export class Conversation {
  readonly #print: (line: Json) => Promise<void>;
  /** The current message, and those that wait. */
  readonly #messages: QueuedMessage[] = [];
  readonly #answers = new Map<string, (answer: Answer) => void>();
  #isClosed = false;
  #wake = (): void => {};

  constructor(stdin: NodeJS.ReadableStream, print: (line: Json) => Promise<void>) {
    this.#print = print;
    const lines = createLines({
      onLine: (line) => this.#read(objectIn(line) ?? {}),
      onPiece: () => {},
      onOversized: () => {},
    });
    stdin.setEncoding("utf8");
    stdin.on("data", (text: string) => lines.push(text));
    stdin.on("end", () => {
      lines.end();
      this.#close();
    });
  }

  /** Each message in order, until stdin is closed. */
  async *messages(): AsyncGenerator<Message> {
    for (;;) {
      const [message] = this.#messages;
      if (message) {
        yield { text: message.text, signal: message.interrupt.signal };
        this.#messages.shift();
      } else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** See `Stage.answerTo`. */
  answerTo(requestId: string, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        this.#answers.delete(requestId);
        resolve(answer);
      };
      this.#answers.set(requestId, settle);
      signal.addEventListener("abort", () => settle({ denial: interrupted }));
      if (this.#isClosed) settle({ denial: noAnswerReason });
    });
  }

  #read(fields: Fields): void {
    if (fields.type === "user") this.#queueMessage(fieldsOf(fields.message).content);
    if (fields.type === "control_response") this.#answer(fieldsOf(fields.response));
    if (fields.type === "control_request" && fieldsOf(fields.request).subtype === "interrupt") {
      const response = { subtype: "success", request_id: fields.request_id ?? null, response: { still_queued: [] } };
      void this.#print({ type: "control_response", response });
      for (const { interrupt } of this.#messages) interrupt.abort();
    }
  }

  #queueMessage(content: Json | undefined): void {
    const texts = listOf(content).map((block) => textOf(fieldsOf(block).text) ?? "");
    this.#messages.push({ text: textOf(content) ?? texts.join("\n"), interrupt: new AbortController() });
    this.#wake();
  }

  #answer({ request_id, response }: Fields): void {
    const { behavior, message, updatedPermissions } = fieldsOf(response);
    const settle = this.#answers.get(textOf(request_id) ?? "");
    const rules = listOf(updatedPermissions).flatMap((update) => listOf(fieldsOf(update).rules));
    const allowedTools = rules.flatMap((rule) => textOf(fieldsOf(rule).toolName) ?? []);
    settle?.(behavior === "allow" ? { allowedTools } : { denial: textOf(message) ?? "it was denied" });
  }

  #close(): void {
    this.#isClosed = true;
    for (const settle of this.#answers.values()) settle({ denial: noAnswerReason });
    this.#wake();
  }
}

/** Why a permission is denied once stdin is closed, as Claude does it. */
const noAnswerReason = "nobody is there to allow it";
