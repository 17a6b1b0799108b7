import type { AgentListeners, AgentRequest } from "../../app/engine/agents.ts";
import type { HookEndpoint, HookEndpoints, HookReply, HookServer } from "../../app/engine/hook-endpoint.ts";
import type { HookAnswerer } from "../../app/hook/answer.ts";
import { hookLine, textIn } from "../../app/hook/hook-line.ts";
import type { MarkedCaller } from "../../app/hook/ports.ts";
import { hookEngines, type HookAnswer, type HookFault } from "../../contract/hook.ts";
import type { Redacted } from "../../contract/redacted.ts";
import { inputAfter } from "../../hook/engine-answer.ts";
import { eventOf } from "../../hook/events.ts";
import { readPayload } from "../../hook/payload.ts";
import { httpAnswer } from "../../hook/render-answer.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { Redactor } from "../../redact/redactor.ts";

export interface HookDeskParts {
  redactor: Redactor;
  /** Loaded with the first agent whose engine calls hooks. */
  endpoints: () => Promise<HookEndpoints>;
  /** Opens what keeps the evidence of a run or session. Throws when there is no place for it. */
  openEvidence: (owner: string) => EvidenceKeeper;
  noteFault: (fault: Redacted<HookFault>) => void;
  answerHook?: HookAnswerer | undefined;
  now: () => Date;
}

export interface EvidenceKeeper {
  /** Resolves when the line is on disk. */
  append(line: Redacted<string>): Promise<void>;
  close(): Promise<void>;
}

/** The agent whose hooks are served. */
interface HookedAgent {
  engine: string;
  folder: string;
  caller: MarkedCaller;
  rules?: AgentRequest["rules"] | undefined;
  onHook: AgentListeners["onHook"];
}

const silence: HookReply = { contentType: "application/json", body: "{}" };

/** Where one agent tells its hooks: each call is kept, told and answered. A fault of ours stops no agent. */
export class AgentHookDesk {
  readonly #parts: HookDeskParts;
  readonly #agent: HookedAgent;
  readonly #taking = new Set<Promise<unknown>>();
  #evidence: EvidenceKeeper | undefined;

  constructor(parts: HookDeskParts, agent: HookedAgent) {
    this.#parts = parts;
    this.#agent = agent;
  }

  /** Serves hooks while the work goes on. Without a port on loopback, or a place for evidence, the agent works without them. */
  async whileOpen<T>(work: (server?: HookServer) => Promise<T>): Promise<T> {
    let endpoint: HookEndpoint;
    try {
      this.#evidence = this.#parts.openEvidence(this.#agent.caller.owner);
      const endpoints = await this.#parts.endpoints();
      endpoint = await endpoints.open((body) => this.#take(body));
    } catch (error) {
      this.#tellFault("", error);
      return work();
    }
    try {
      return await work(endpoint.server);
    } finally {
      await endpoint.close();
      await Promise.allSettled(this.#taking);
      await this.#evidence.close();
    }
  }

  /** Never rejects. */
  async #take(body: string): Promise<HookReply> {
    const taking = this.#answer(body);
    this.#taking.add(taking);
    try {
      return await taking;
    } catch (error) {
      this.#tellFault("", error);
      return silence;
    } finally {
      this.#taking.delete(taking);
    }
  }

  /** Whatever becomes of keeping it, those that have a say are asked: a policy judges every call. */
  async #answer(body: string): Promise<HookReply> {
    const fields = readPayload(body);
    if (!fields) this.#tellFault("", new Error("what the engine sent is no JSON object"));
    // Without a name, it may be what comes before a call.
    const event = fields ? eventOf(textIn(fields, "hook_event_name") ?? "") : "PreToolUse";
    const asking = this.#ask(event, fields ?? {});
    const keeping = fields ? this.#keep(event, fields, asking) : Promise.resolve();
    const [kept, answer] = await Promise.allSettled([keeping, asking]);
    for (const end of [kept, answer]) if (end.status === "rejected") this.#tellFault(event, end.reason);
    if (answer.status === "rejected") return silence;
    return httpAnswer(renderedAs(this.#agent.engine), event, answer.value);
  }

  /** Resolves when the call is on disk, and was heard, with what it is answered. */
  async #keep(event: string, fields: Record<string, unknown>, asking: Promise<HookAnswer>): Promise<void> {
    const { redactor } = this.#parts;
    const redact = <T>(value: T): Redacted<T> => redactValue(value, redactor.redact);
    const { engine, folder, caller, onHook } = this.#agent;
    const at = this.#parts.now().toISOString();
    const about = { event, engine, fields, folder, caller, via: "http" as const, at };
    const { line, hook, toolUseId } = hookLine(redact, about);
    const heard = async (): Promise<void> => {
      const answer = await asking.catch(() => ({}));
      const input = inputAfter(renderedAs(engine), event, answer);
      await onHook?.({ event, at, tool_use_id: toolUseId, fields: hook, ...(input && { input: redact(input) }) });
    };
    const ends = await Promise.allSettled([this.#evidence!.append(line), heard()]);
    for (const end of ends) if (end.status === "rejected") this.#tellFault(event, end.reason);
  }

  /** Not redacted: a policy judges what the engine is about to do. */
  async #ask(event: string, fields: Record<string, unknown>): Promise<HookAnswer> {
    const answerer = this.#parts.answerHook;
    if (!answerer) return {};
    const { engine, folder, caller, rules } = this.#agent;
    const question = { event, engine: renderedAs(engine), fields, caller, folder, rules };
    return (await answerer(question)) ?? {};
  }

  #tellFault(event: string, error: unknown): void {
    noteFault(this.#parts, event, error);
  }
}

/** Notes why something that an agent told was not kept, or not answered. */
export function noteFault(
  { noteFault: note, now, redactor }: Pick<HookDeskParts, "noteFault" | "now" | "redactor">,
  event: string,
  error: unknown,
): void {
  const what = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
  note(redactValue({ at: now().toISOString(), event: event.slice(0, 64), what }, redactor.redact));
}

/** The engine scripted speaks as Claude does. */
function renderedAs(engine: string): (typeof hookEngines)[number] {
  return hookEngines.find((each) => each === engine) ?? "claude";
}
