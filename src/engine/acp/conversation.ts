import type { AnswerStop, EngineEvent, PermissionOption, ResultEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import type { Conversation, Refusal, Write } from "../conversation.ts";
import { fieldsOf, listOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { createStrayText } from "../stray-text.ts";
import { chosenMode, chosenModel, modelOf, type SessionChoice } from "./session-choices.ts";
import { errorText, stopIn, stopProblem, usageIn } from "./prompt-answer.ts";
import { idText, JsonRpc, type JsonRpcId } from "../json-rpc.ts";
import { actionOf, inputOf } from "./tool-calls.ts";
import { AcpUpdates } from "./updates.ts";

export interface AcpOpening {
  prompt: string;
  folder: string;
  /** The agent's own session that it goes on with. */
  resume?: string;
  /** The first of these modes that the agent has is set. */
  modes: readonly string[];
  /** Asked for by the protocol; agents whose command line takes it need none here. */
  model?: string;
  /** Servers by HTTP, as ACP names them; only agents that take such are told. */
  mcpServers?: Json[];
}

/** How an agent behaves where others differ. */
export interface AcpManners {
  /** What a prompt does to a round that goes on. Most agents would drop their work for it: then it waits. */
  send: "joins" | "queues";
  denial: "goes_on" | "ends_round";
  /** Whether the answer to a prompt counts all tokens of its round. */
  countsRound: boolean;
}

interface Permission {
  id: JsonRpcId;
  tool: string;
  call: string | undefined;
  options: PermissionOption[];
}

/** So many messages wait at most. */
const maxQueue = 100;

/** So often is a choice made again. */
const maxRepeats = 100;

/** A session with an agent by the Agent Client Protocol, version 1. */
export class AcpConversation implements Conversation {
  readonly #opening: AcpOpening;
  readonly #manners: AcpManners;
  readonly #rpc: JsonRpc;
  readonly #updates = new AcpUpdates();
  readonly #strayText = createStrayText();
  readonly #permissions = new Map<string, Permission>();
  #queue: string[] = [];
  #denied = new Set<string>();
  #sessionId: string | undefined;
  /** Prompts that are not answered yet. */
  #openPrompts = 0;
  #state: "opening" | "open" | "failed" = "opening";
  #isInterrupted = false;
  #hasResult = false;
  /** What was told of an earlier session so far. */
  #repeated = 0;

  constructor(opening: AcpOpening, manners: AcpManners, write: Write) {
    this.#opening = opening;
    this.#manners = manners;
    this.#rpc = new JsonRpc(write);
  }

  begin(): void {
    this.#queue.push(this.#opening.prompt);
    const params = {
      protocolVersion: 1,
      // An agent that reads and writes files itself does it where its own permissions are asked for.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "clew", title: "Clew", version: "1" },
    };
    this.#request("initialize", params, (answer) => this.#openSession(answer));
  }

  read(line: string): EngineEvent[] {
    const fields = objectIn(line);
    if (!fields) {
      this.#strayText.add(line);
      return [];
    }
    const { id, method } = fields;
    const params = fieldsOf(fields.params);
    if (typeof method !== "string") return this.#rpc.take(fields);
    if (typeof id === "string" || typeof id === "number") return this.#serve(id, method, params);
    if (method !== "session/update" || params.sessionId !== this.#sessionId) return [];
    const update = fieldsOf(params.update);
    if (this.#openPrompts > 0) return this.#updates.read(update);
    // Before the first prompt an agent repeats an earlier session, or tells of its mode as if it were the model's words.
    if (!isNotice(update)) this.#repeated += 1;
    return [];
  }

  end(): EngineEvent[] {
    return [...this.#updates.endRound(), ...(this.#hasResult ? [] : this.#strayText.explain())];
  }

  send(text: string): Refusal | undefined {
    if (this.#state === "failed") return "closed";
    const isIdle = this.#state === "open" && this.#openPrompts === 0;
    if (isIdle || (this.#state === "open" && this.#manners.send === "joins")) return this.#prompt(text);
    if (this.#queue.length >= maxQueue) return "full";
    this.#queue.push(text);
    return undefined;
  }

  answer(permissionId: string, optionId: string): Refusal | undefined {
    const permission = this.#permissions.get(permissionId);
    if (!permission) return undefined;
    const refusal = this.#rpc.respond(permission.id, { outcome: { outcome: "selected", optionId } });
    if (refusal !== undefined) return refusal;
    this.#permissions.delete(permissionId);
    const isDenied = permission.options.find(({ id }) => id === optionId)?.kind.startsWith("reject");
    if (isDenied) {
      this.#denied.add(permission.tool);
      if (permission.call !== undefined) this.#updates.noteDenial(permission.call);
    }
    return undefined;
  }

  interrupt(): Refusal | undefined {
    this.#isInterrupted = true;
    this.#queue = [];
    if (this.#sessionId === undefined) return undefined;
    const refusal = this.#rpc.notify("session/cancel", { sessionId: this.#sessionId });
    // The protocol asks for it: an agent may wait for each of them.
    for (const { id } of this.#permissions.values()) this.#rpc.respond(id, { outcome: { outcome: "cancelled" } });
    this.#permissions.clear();
    return refusal;
  }

  /** A request whose failure is the end of the session. */
  #request(method: string, params: Json, onAnswer: (answer: Fields) => EngineEvent[]): void {
    this.#rpc.request(method, params, {
      onAnswer,
      onError: (error) => this.#giveUp(`${method}: ${errorText(error)}`),
    });
  }

  #openSession(initialized: Fields): EngineEvent[] {
    const { folder, resume, mcpServers = [] } = this.#opening;
    const { protocolVersion, agentCapabilities } = initialized;
    if (protocolVersion !== 1) {
      return this.#giveUp(`it speaks version ${JSON.stringify(protocolVersion ?? null)} of ACP; Clew speaks version 1`);
    }
    const takesHttp = fieldsOf(fieldsOf(agentCapabilities).mcpCapabilities).http === true;
    const params = { cwd: folder, mcpServers: takesHttp ? mcpServers : [] };
    if (resume === undefined) {
      this.#request("session/new", params, (answer) => this.#chooseMode(answer, textOf(answer.sessionId)));
    } else if (fieldsOf(agentCapabilities).loadSession === true) {
      const load = { sessionId: resume, ...params };
      this.#request("session/load", load, (answer) => this.#chooseMode(answer, resume));
    } else {
      return this.#giveUp("it cannot go on with an earlier session: start a new one");
    }
    return [];
  }

  #chooseMode(session: Fields, sessionId: string | undefined): EngineEvent[] {
    if (sessionId === undefined) return this.#giveUp("it began a session without an id");
    this.#sessionId = sessionId;
    const mode = chosenMode(session, sessionId, this.#opening.modes);
    const model = chosenModel(session, sessionId, this.#opening.model);
    if (typeof model === "string") return this.#giveUp(model);
    const name = this.#opening.model ?? modelOf(session);
    const init: EngineEvent = { type: "init", engine_session: sessionId, ...(name !== undefined && { model: name }) };
    return [init, ...this.#choose([mode, model].filter((choice) => choice !== undefined))];
  }

  /** Gemini goes on to repeat an earlier session after it was loaded: the last choice is made again until it is silent. */
  #choose([choice, ...others]: SessionChoice[], tries = 0): EngineEvent[] {
    if (choice === undefined) return this.#beginWork();
    const before = this.#repeated;
    this.#request(choice.method, choice.params, () => {
      const isSilent = this.#repeated === before || tries >= maxRepeats;
      return isSilent ? this.#choose(others) : this.#choose([choice, ...others], tries + 1);
    });
    return [];
  }

  #beginWork(): EngineEvent[] {
    this.#state = "open";
    if (this.#isInterrupted) return [this.#result(stopProblem({ stopReason: "cancelled" }))];
    this.#promptNext();
    return [];
  }

  /** A message that waited has a round of its own; where messages join, the first round has them all. */
  #promptNext(): void {
    const texts = this.#queue.splice(0, this.#manners.send === "joins" ? maxQueue : 1);
    for (const text of texts) this.#prompt(text);
  }

  #prompt(text: string): Refusal | undefined {
    if (this.#openPrompts === 0) this.#updates.beginRound();
    this.#isInterrupted = false;
    const params = { sessionId: this.#sessionId!, prompt: [{ type: "text", text }] };
    const refusal = this.#rpc.request("session/prompt", params, {
      onAnswer: (answer) =>
        this.#endPrompt(stopProblem(answer), this.#manners.countsRound ? usageIn(answer) : [], stopIn(answer)),
      onError: (error) => this.#endPrompt(errorText(error), []),
    });
    if (refusal === undefined) this.#openPrompts += 1;
    return refusal;
  }

  /** A round has one result, also when further prompts joined it. */
  #endPrompt(problem: string | undefined, usage: EngineEvent[], stop?: AnswerStop): EngineEvent[] {
    this.#openPrompts -= 1;
    if (this.#openPrompts > 0) return usage;
    const events = [...this.#updates.endRound(), ...usage, this.#result(problem ?? this.#denialProblem(), stop)];
    this.#promptNext();
    return events;
  }

  #denialProblem(): string | undefined {
    if (this.#manners.denial === "goes_on" || this.#denied.size === 0) return undefined;
    return "it ends its round when something is not allowed";
  }

  #giveUp(problem: string): EngineEvent[] {
    this.#state = "failed";
    return [this.#result(problem)];
  }

  #result(problem: string | undefined, stop?: AnswerStop): ResultEvent {
    const denied = [...this.#denied];
    this.#denied = new Set();
    this.#hasResult = true;
    const text = problem ?? this.#updates.lastMessage;
    return { type: "result", failed: problem !== undefined, text, denied, ...(stop && { stop }) };
  }

  /** What the agent asks. What is not served here is refused, so that it does not wait for it. */
  #serve(id: JsonRpcId, method: string, params: Fields): EngineEvent[] {
    if (method === "session/request_permission") return this.#askPermission(id, params);
    if (method === "craft/drainMidTurnQueue") {
      // Qwen asks between two tool calls whether a message has come. Those that wait get a round of their own.
      this.#rpc.respond(id, { items: [] });
    } else {
      this.#rpc.refuse(id, `this client does not take ${method}`);
    }
    return [];
  }

  #askPermission(id: JsonRpcId, params: Fields): EngineEvent[] {
    const options = listOf(params.options).flatMap(optionIn);
    if (options.length === 0 || this.#isInterrupted) {
      this.#rpc.respond(id, { outcome: { outcome: "cancelled" } });
      return [];
    }
    const { events, call, name } = this.#updates.tellCall(fieldsOf(params.toolCall));
    const action = actionOf(call, name);
    const callId = textOf(call.toolCallId);
    const permissionId = idText(id);
    this.#permissions.set(permissionId, { id, tool: name, call: callId, options });
    return [
      ...events,
      {
        type: "permission",
        id: permissionId,
        tool: name,
        input: inputOf(call),
        options,
        ...(callId !== undefined && { tool_call: callId }),
        ...(action && { action }),
      },
    ];
  }
}

/** What is told when a mode is set or a session begins; Gemini tells of a mode in words. */
function isNotice({ sessionUpdate, content }: Fields): boolean {
  if (sessionUpdate === "available_commands_update") return true;
  return (textOf(fieldsOf(content).text) ?? "").startsWith("[MODE_UPDATE]");
}

const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

function optionIn(item: Json): PermissionOption[] {
  const { optionId, name, kind } = fieldsOf(item);
  const id = textOf(optionId);
  const known = optionKinds.find((each) => each === kind);
  return id === undefined || known === undefined ? [] : [{ id, label: textOf(name) ?? id, kind: known }];
}
