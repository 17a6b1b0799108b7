import type { AgentEnd, AgentHandle, AgentRequest, EngineTraits } from "../../app/engine/agents.ts";
import type { HandedInResults } from "../../app/run/connected/ports.ts";
import { bareRemains } from "../../contract/engine-abilities.ts";
import { answerStops, type EngineEvent } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Activity } from "../../engine/activity.ts";
import { createFold } from "../../engine/fold.ts";
import { judge } from "../../engine/result-contract.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { Redactor } from "../../redact/redactor.ts";

interface Parts {
  results: Pick<HandedInResults, "wait">;
  redactor: Redactor;
  newId: () => string;
}

/** A connected agent is nobody's process: all that can be done is to wait for its result. */
export const connectedTraits: EngineTraits = {
  abilities: {
    resume: false,
    structured_result: true,
    permissions: false,
    send: false,
    hooks: "none",
    tools: false,
    mcp: true,
    usage: false,
    cost: false,
  },
  manners: { denial: "goes_on", interrupt: "leaves_command" },
  // It is what its person made of it.
  bare: bareRemains,
  untoldStops: answerStops,
};

/** An agent that a person started, and that asks over MCP what it is to do. It works until its result is handed in. */
export class ConnectedAgent implements AgentHandle {
  readonly id: string;
  readonly transcript = undefined;
  readonly usage = undefined;
  readonly rounds = 0;
  readonly done: Promise<AgentEnd>;
  readonly #parts: Parts;
  readonly #request: AgentRequest;
  readonly #fold = createFold();
  readonly #ending = new AbortController();

  constructor(parts: Parts, request: AgentRequest) {
    this.#parts = parts;
    this.#request = request;
    this.id = parts.newId();
    this.done = this.#run();
  }

  get activities(): readonly Activity[] {
    return this.#fold.state().activities;
  }

  get current(): Activity | undefined {
    return undefined;
  }

  send(): void {
    throw new ClewError("not_available", "a connected agent takes no messages", "tell it where you talk with it");
  }

  answer(): void {
    throw new ClewError("not_possible_now", "a connected agent asks for no permission here", "answer where it asks");
  }

  fingerprint(): undefined {}

  isCall(): boolean {
    return false;
  }

  stop(): void {
    this.#ending.abort();
  }

  kill(): void {
    this.#ending.abort();
  }

  async #run(): Promise<AgentEnd> {
    // No listener is called before the caller has this handle.
    await Promise.resolve();
    this.#tell({ type: "init" });
    const { owner, label } = this.#request.transcript;
    const signal = AbortSignal.any([this.#request.signal, this.#ending.signal]);
    const result = await this.#parts.results.wait(owner, label, signal);
    if (!result) {
      const error = "no result was handed in before the step was stopped";
      return { outcome: "interrupted", verdict: { success: false, error }, exitCode: null };
    }
    this.#tell({ type: "message", text: result.summary });
    this.#tell({ type: "result", failed: false, text: result.summary, structured: { ...result }, denied: [] });
    const verdict = judge(this.#fold.state(), { code: 0, signal: null, stderr: "" });
    return { outcome: "completed", verdict, exitCode: null };
  }

  #tell(event: EngineEvent): void {
    const redacted = redactValue(event, this.#parts.redactor.redact);
    this.#fold.add(redacted);
    this.#request.listeners.onEvent(redacted, 0);
  }
}
