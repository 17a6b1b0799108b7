import type { EngineEvent } from "../contract/engine.ts";
import type { Json } from "../contract/json.ts";
import type { Refusal, Write } from "./conversation.ts";
import { fieldsOf, type Fields } from "./read-fields.ts";

export type JsonRpcId = string | number;

/** An id as text; 7 and "7" are two. */
export function idText(id: JsonRpcId): string {
  if (typeof id === "number") return String(id);
  // Quoted where it could be taken for a number, or for a quoted one.
  return /^(?:"|-?\d+(?:\.\d+)?$)/.test(id) ? JSON.stringify(id) : id;
}

interface OpenRequest {
  onAnswer: (answer: Fields) => EngineEvent[];
  onError: (error: Json) => EngineEvent[];
}

/** JSON-RPC 2.0, a message a line. An answer is taken once, and only to what was asked. */
export class JsonRpc {
  readonly #write: Write;
  readonly #open = new Map<number, OpenRequest>();
  #nextId = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  request(method: string, params: Json, open: OpenRequest): Refusal | undefined {
    const id = this.#nextId++;
    const refusal = this.#send({ id, method, params });
    if (refusal === undefined) this.#open.set(id, open);
    return refusal;
  }

  notify(method: string, params: Json): Refusal | undefined {
    return this.#send({ method, params });
  }

  respond(id: JsonRpcId, result: Json): Refusal | undefined {
    return this.#send({ id, result });
  }

  refuse(id: JsonRpcId, message: string): void {
    this.#send({ id, error: { code: methodNotFound, message } });
  }

  /** Hands an answer to the caller that asked; other lines are passed over. */
  take({ id, result, error }: Fields): EngineEvent[] {
    const open = typeof id === "number" ? this.#open.get(id) : undefined;
    if (!open) return [];
    this.#open.delete(id as number);
    return error === undefined || error === null ? open.onAnswer(fieldsOf(result)) : open.onError(error);
  }

  #send(message: Fields): Refusal | undefined {
    return this.#write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

const methodNotFound = -32_601;
