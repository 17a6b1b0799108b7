import type { EngineEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import type { Conversation, Refusal, Write } from "../conversation.ts";
import { fieldsOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { createStrayText } from "../stray-text.ts";
import { approvalIn, optionsOf, type Approval } from "./approvals.ts";
import { NotificationReader } from "./notifications.ts";
import { codexResultSchema } from "./result-form.ts";

export interface CodexOpening {
  prompt: string;
  folder: string;
  /** What the thread works with: sandbox, approval policy, model, instructions. */
  thread: { [key: string]: Json };
  /** The thread that it goes on with. */
  resume?: string;
  until: "result" | "answer" | "talk";
}

/** Called with the server's answer; exactly one of the two is there. */
type OnAnswer = (result: Fields, error: Fields | undefined) => EngineEvent[];

/** Long before so many messages wait for a thread, something is wrong with it. */
const maxWaiting = 1_000;

/** What would only fill the transcript: the whole diff so far with every round, and pieces when no one watches. */
const unwanted = ["turn/diff/updated", "account/rateLimits/updated"];
const pieces = ["item/agentMessage/delta", "item/reasoning/summaryTextDelta", "item/reasoning/textDelta"];

/** The protocol of `codex app-server`: JSON-RPC in lines, in which both sides ask. */
export class CodexConversation implements Conversation {
  readonly #opening: CodexOpening;
  readonly #write: Write;
  readonly #reader: NotificationReader;
  readonly #strayText = createStrayText();
  readonly #pending = new Map<number, OnAnswer>();
  /** Permissions that wait, by the id that they were told under. The server numbers its requests by itself. */
  readonly #approvals = new Map<string, { requestId: Json; approval: Approval }>();
  /** Messages that wait for a thread, or for a turn that has begun. */
  readonly #waiting: string[] = [];
  #lastRequest = 0;
  #turn: string | undefined;
  #isStarting = false;
  #isInterruptAsked = false;
  #hasFailed = false;
  #hasResult = false;

  constructor(opening: CodexOpening, write: Write) {
    this.#opening = opening;
    this.#write = write;
    this.#reader = new NotificationReader(opening.until === "result");
  }

  begin(): void {
    const { resume, folder, thread, until, prompt } = this.#opening;
    this.#waiting.push(prompt);
    const optOutNotificationMethods = [...unwanted, ...(until === "talk" ? [] : pieces)];
    const clientInfo = { name: "clew", title: "Clew", version: "1" };
    this.#request("initialize", { clientInfo, capabilities: { optOutNotificationMethods } }, (_, error) => {
      if (error) return this.#fail("Codex could not be initialised", error);
      this.#send({ method: "initialized" });
      const where = { cwd: folder, ...thread };
      const onThread: OnAnswer = (result, problem) => this.#openThread(result, problem);
      if (resume === undefined) this.#request("thread/start", where, onThread);
      else this.#request("thread/resume", { threadId: resume, excludeTurns: true, ...where }, onThread);
      return [];
    });
  }

  read(line: string): EngineEvent[] {
    const fields = objectIn(line);
    if (!fields) {
      this.#strayText.add(line);
      return [];
    }
    const method = textOf(fields.method);
    const { id } = fields;
    if (method === undefined) return this.#takeAnswer(fields);
    const params = fieldsOf(fields.params);
    if (typeof id === "number" || typeof id === "string") return this.#takeRequest(id, method, params);
    return this.#takeNotification(method, params);
  }

  end(): EngineEvent[] {
    return this.#hasResult ? [] : this.#strayText.explain();
  }

  send(text: string): Refusal | undefined {
    if (this.#hasFailed) return "closed";
    if (this.#waiting.length >= maxWaiting) return "full";
    this.#waiting.push(text);
    return this.#deliver();
  }

  answer(permissionId: string, optionId: string): Refusal | undefined {
    const asked = this.#approvals.get(permissionId);
    if (!asked) return undefined;
    this.#approvals.delete(permissionId);
    const { answers, permission } = asked.approval;
    if (optionId === "decline") this.#reader.deny(permission.tool);
    return this.#send({ id: asked.requestId, result: answers[optionId] ?? answers["decline"]! });
  }

  /** What has not reached the engine yet is not sent after it. */
  interrupt(): Refusal | undefined {
    if (this.#turn === undefined) {
      // A turn that is about to begin is interrupted as soon as it has a name.
      this.#isInterruptAsked = this.#isStarting || this.#waiting.length > 0;
      return undefined;
    }
    this.#waiting.length = 0;
    return this.#request("turn/interrupt", { ...this.#threadId(), turnId: this.#turn }, () => []);
  }

  #openThread(result: Fields, error: Fields | undefined): EngineEvent[] {
    const id = textOf(fieldsOf(result.thread).id);
    const { resume } = this.#opening;
    const what =
      resume === undefined ? "Codex could not start a thread" : `Codex could not go on with thread ${resume}`;
    if (error || id === undefined) return this.#fail(what, error ?? {});
    this.#reader.thread = id;
    this.#deliver();
    const model = textOf(result.model);
    return [{ type: "init", engine_session: id, ...(model !== undefined && { model }) }];
  }

  /** Gives the waiting messages: the turn that is at work gets them, else a new one begins with them. */
  #deliver(): Refusal | undefined {
    if (this.#reader.thread === undefined || this.#isStarting || this.#waiting.length === 0) return undefined;
    const texts = this.#waiting.splice(0);
    if (this.#turn === undefined) return this.#startTurn(texts);
    return texts.map((text) => this.#steer(this.#turn!, text)).find((refusal) => refusal !== undefined);
  }

  #startTurn(texts: string[]): Refusal | undefined {
    const schema = this.#opening.until === "result" && { outputSchema: codexResultSchema };
    const input = texts.map((text) => ({ type: "text", text }));
    this.#isStarting = true;
    const refusal = this.#request("turn/start", { ...this.#threadId(), input, ...schema }, ({ turn }, error) => {
      if (error) {
        this.#isStarting = false;
        return this.#result("Codex could not begin a turn", error);
      }
      if (this.#isStarting) this.#enterTurn(textOf(fieldsOf(turn).id));
      return [];
    });
    if (refusal !== undefined) this.#isStarting = false;
    return refusal;
  }

  #steer(turn: string, text: string): Refusal | undefined {
    const input = [{ type: "text", text }];
    return this.#request("turn/steer", { ...this.#threadId(), expectedTurnId: turn, input }, (_, error) => {
      if (!error) return [];
      // It came too late, or the turn takes none: the next one begins with it.
      this.#waiting.push(text);
      if (this.#turn !== turn) this.#deliver();
      return [];
    });
  }

  #enterTurn(turn: string | undefined): void {
    this.#isStarting = false;
    this.#turn = turn;
    if (this.#isInterruptAsked) this.interrupt();
    this.#isInterruptAsked = false;
    this.#deliver();
  }

  #takeNotification(method: string, params: Fields): EngineEvent[] {
    const events = this.#reader.read(method, params);
    if (method === "serverRequest/resolved") return this.#withdraw(params.requestId);
    if (!this.#reader.isOwn(params)) return events;
    if (method === "turn/started") this.#enterTurn(textOf(fieldsOf(params.turn).id));
    if (method === "turn/completed") {
      this.#hasResult = true;
      this.#turn = undefined;
      this.#deliver();
    }
    return events;
  }

  #takeRequest(requestId: string | number, method: string, params: Fields): EngineEvent[] {
    const { folder } = this.#opening;
    const approval = approvalIn(method, params, { folder, items: this.#reader.items });
    if (!approval) {
      this.#send({ id: requestId, ...refusalOf(method) });
      return [];
    }
    const id = String(requestId);
    this.#approvals.set(id, { requestId, approval });
    return [{ type: "permission", id, ...approval.permission, options: optionsOf(approval) }];
  }

  /** The server needs no answer any more, such as when the turn was interrupted. */
  #withdraw(requestId: Json | undefined): EngineEvent[] {
    const id = String(requestId);
    if (!this.#approvals.delete(id)) return [];
    return [{ type: "permission", id, tool: "", input: {}, options: [], withdrawn: true }];
  }

  #takeAnswer({ id, result, error }: Fields): EngineEvent[] {
    const onAnswer = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (!onAnswer) return [];
    this.#pending.delete(id as number);
    return onAnswer(fieldsOf(result), error === undefined ? undefined : fieldsOf(error));
  }

  /** Without a thread nothing can be done. */
  #fail(what: string, error: Fields): EngineEvent[] {
    this.#hasFailed = true;
    return this.#result(what, error);
  }

  #result(what: string, { message }: Fields): EngineEvent[] {
    this.#hasResult = true;
    return [{ type: "result", failed: true, text: `${what}: ${textOf(message) ?? "it gave no reason"}`, denied: [] }];
  }

  #threadId(): { threadId: string } {
    return { threadId: this.#reader.thread! };
  }

  #request(method: string, params: { [key: string]: Json }, onAnswer: OnAnswer): Refusal | undefined {
    const id = ++this.#lastRequest;
    this.#pending.set(id, onAnswer);
    const refusal = this.#send({ id, method, params });
    if (refusal !== undefined) this.#pending.delete(id);
    return refusal;
  }

  #send(message: { [key: string]: Json }): Refusal | undefined {
    return this.#write(`${JSON.stringify(message)}\n`);
  }
}

/** A server that asks for what is not served here must not wait for ever. */
function refusalOf(method: string): { [key: string]: Json } {
  if (method === "mcpServer/elicitation/request") return { result: { action: "decline", content: null, _meta: null } };
  return { error: { code: -32_601, message: "this client does not take such requests" } };
}
