import type { EngineEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import type { Conversation, Refusal, Write } from "../conversation.ts";
import { fieldsOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { idText, JsonRpc, type JsonRpcId } from "../json-rpc.ts";
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
  /** The thread gets no environment to work in, and none of the servers that the user's settings name. */
  isBare?: true;
}

type OnAnswer = (result: Fields) => EngineEvent[];
type OnError = (error: Json) => EngineEvent[];

/** Long before so many messages wait for a thread, something is wrong with it. */
const maxWaiting = 1_000;

/** What would only fill the transcript: the whole diff so far with every round, and pieces when no one watches. */
const unwanted = ["turn/diff/updated", "account/rateLimits/updated"];
const pieces = ["item/agentMessage/delta", "item/reasoning/summaryTextDelta", "item/reasoning/textDelta"];

/** The protocol of `codex app-server`: JSON-RPC in lines, in which both sides ask. */
export class CodexConversation implements Conversation {
  readonly #opening: CodexOpening;
  readonly #rpc: JsonRpc;
  readonly #reader: NotificationReader;
  readonly #strayText = createStrayText();
  /** Permissions that wait, by the id that they were told under. The server numbers its requests by itself. */
  readonly #approvals = new Map<string, { requestId: JsonRpcId; approval: Approval }>();
  /** Messages that wait for a thread, or for a turn that has begun. */
  readonly #waiting: string[] = [];
  #turn: string | undefined;
  #isStarting = false;
  #isInterruptAsked = false;
  #hasFailed = false;
  #hasResult = false;

  constructor(opening: CodexOpening, write: Write) {
    this.#opening = opening;
    this.#rpc = new JsonRpc(write);
    this.#reader = new NotificationReader(opening.until === "result", opening.folder);
  }

  begin(): void {
    const { until, prompt, isBare = false } = this.#opening;
    this.#waiting.push(prompt);
    const optOutNotificationMethods = [...unwanted, ...(until === "talk" ? [] : pieces)];
    const clientInfo = { name: "clew", title: "Clew", version: "1" };
    this.#request(
      "initialize",
      { clientInfo, capabilities: { optOutNotificationMethods } },
      () => (isBare ? this.#askForServers() : this.#askForThread()),
      (error) => this.#fail("Codex could not be initialised", error),
    );
  }

  read(line: string): EngineEvent[] {
    const fields = objectIn(line);
    if (!fields) {
      this.#strayText.add(line);
      return [];
    }
    const method = textOf(fields.method);
    const { id } = fields;
    if (method === undefined) return this.#rpc.take(fields);
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
    return this.#rpc.respond(asked.requestId, answers[optionId] ?? answers["decline"]!);
  }

  /** What has not reached the engine yet is not sent after it. */
  interrupt(): Refusal | undefined {
    if (this.#turn === undefined) {
      // A turn that is about to begin is interrupted as soon as it has a name.
      this.#isInterruptAsked = this.#isStarting || this.#waiting.length > 0;
      return undefined;
    }
    this.#waiting.length = 0;
    return this.#request("turn/interrupt", { ...this.#threadId(), turnId: this.#turn }, noEvents, noEvents);
  }

  /** Settings are merged: a server that they name stays, unless it is turned off by its name. */
  #askForServers(): EngineEvent[] {
    this.#request(
      "config/read",
      { cwd: this.#opening.folder },
      ({ config }) => {
        const names = Object.keys(fieldsOf(fieldsOf(config).mcp_servers));
        const servers = Object.fromEntries(names.map((name) => [name, { enabled: false }]));
        return this.#askForThread({ config: { mcp_servers: servers } });
      },
      (error) => this.#fail("Codex could not tell its settings", error),
    );
    return [];
  }

  #askForThread(more: Fields = {}): EngineEvent[] {
    const { resume, folder, thread } = this.#opening;
    const where = { cwd: folder, ...thread, ...more };
    const [method, params, what] =
      resume === undefined
        ? ["thread/start", where, "Codex could not start a thread"]
        : [
            "thread/resume",
            { threadId: resume, excludeTurns: true, ...where },
            `Codex could not go on with thread ${resume}`,
          ];
    this.#rpc.notify("initialized", {});
    this.#request(
      method,
      params,
      (result) => this.#openThread(result) ?? this.#fail(what, {}),
      (error) => this.#fail(what, error),
    );
    return [];
  }

  #openThread(result: Fields): EngineEvent[] | undefined {
    const id = textOf(fieldsOf(result.thread).id);
    if (id === undefined) return undefined;
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
    const refusal = this.#request(
      "turn/start",
      { ...this.#threadId(), input, ...schema },
      ({ turn }) => {
        if (this.#isStarting) this.#enterTurn(textOf(fieldsOf(turn).id));
        return [];
      },
      (error) => {
        this.#isStarting = false;
        return this.#result("Codex could not begin a turn", error);
      },
    );
    if (refusal !== undefined) this.#isStarting = false;
    return refusal;
  }

  #steer(turn: string, text: string): Refusal | undefined {
    const params = { ...this.#threadId(), expectedTurnId: turn, input: [{ type: "text", text }] };
    return this.#request("turn/steer", params, noEvents, () => {
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

  #takeRequest(requestId: JsonRpcId, method: string, params: Fields): EngineEvent[] {
    const { folder } = this.#opening;
    const approval = approvalIn(method, params, { folder, items: this.#reader.items });
    if (!approval) {
      this.#refuse(requestId, method);
      return [];
    }
    const id = idText(requestId);
    this.#approvals.set(id, { requestId, approval });
    return [{ type: "permission", id, ...approval.permission, options: optionsOf(approval) }];
  }

  /** The server needs no answer any more, such as when the turn was interrupted. */
  #withdraw(requestId: Json | undefined): EngineEvent[] {
    if (typeof requestId !== "number" && typeof requestId !== "string") return [];
    const id = idText(requestId);
    if (!this.#approvals.delete(id)) return [];
    return [{ type: "permission", id, tool: "", input: {}, options: [], withdrawn: true }];
  }

  /** A server that asks for what is not served here must not wait for ever. */
  #refuse(requestId: JsonRpcId, method: string): void {
    if (method === "mcpServer/elicitation/request") {
      this.#rpc.respond(requestId, { action: "decline", content: null, _meta: null });
    } else {
      this.#rpc.refuse(requestId, "this client does not take such requests");
    }
  }

  /** Without a thread nothing can be done. */
  #fail(what: string, error: Json): EngineEvent[] {
    this.#hasFailed = true;
    return this.#result(what, error);
  }

  #result(what: string, error: Json): EngineEvent[] {
    this.#hasResult = true;
    return [
      {
        type: "result",
        failed: true,
        text: `${what}: ${textOf(fieldsOf(error).message) ?? "it gave no reason"}`,
        denied: [],
      },
    ];
  }

  #threadId(): { threadId: string } {
    return { threadId: this.#reader.thread! };
  }

  #request(method: string, params: Fields, onAnswer: OnAnswer, onError: OnError): Refusal | undefined {
    return this.#rpc.request(method, params, { onAnswer, onError });
  }
}

function noEvents(): EngineEvent[] {
  return [];
}
