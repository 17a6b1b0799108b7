import { isObject } from "./model/wire.ts";
import type { LineProgram } from "./line-program.ts";
import type { Json } from "./model/wire.ts";

/** Calls and answers in JSON-RPC over the lines of a program. `head` is in every message. */
export class Rpc {
  readonly #program: LineProgram;
  readonly #head: Json;
  #calls = 0;

  constructor(program: LineProgram, head: Json) {
    this.#program = program;
    this.#head = head;
  }

  /** Sends a request; the answer is awaited with `result`. */
  request(method: string, params: Json): number {
    const id = this.#calls++;
    this.#program.send({ ...this.#head, id, method, params });
    return id;
  }

  notify(method: string, params: Json): void {
    this.#program.send({ ...this.#head, method, params });
  }

  /** Throws what the program answered as an error. */
  async result<Result = unknown>(id: number): Promise<Result> {
    const line = await this.#program.find((one) => one.id === id && one.method === undefined);
    if (isObject(line.error)) throw new Error(String(line.error.message));
    return line.result as Result;
  }

  async call<Result = unknown>(method: string, params: Json): Promise<Result> {
    return this.result<Result>(this.request(method, params));
  }

  /** Answers the next request of the program whose method fits. */
  async answer(method: RegExp, decide: (params: Json) => Json): Promise<void> {
    const asked = await this.#program.next((line) => line.id !== undefined && method.test(String(line.method)));
    this.#program.send({ ...this.#head, id: asked.id, result: decide(asked.params as Json) });
  }
}
