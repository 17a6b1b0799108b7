import type { PermissionEvent } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { AnsweredPermission, PermissionRequest } from "../../contract/permission.ts";
import { isAllowed, type OptionKind } from "../../contract/permission-values.ts";
import { fromRedacted, type Redacted } from "../../contract/redacted.ts";
import { cutJson } from "../../engine/cut.ts";
import type { PermissionDesk } from "../../run/handlers.ts";
import type { AgentHandle } from "../engine/agents.ts";
import type { Ids } from "../session/ports.ts";

/** A person does not read more of a request; the transcript has it whole. */
const longestInputBytes = 16 * 1024;

interface Parts {
  /** Where requests wait for a person; absent where no answer can reach the agent. */
  desk: PermissionDesk | undefined;
  /** What a person said to a request of the agent that this one goes on for. */
  answered: AnsweredPermission | undefined;
  waitMs: number;
  ids: Ids;
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
}

interface OpenRequest {
  id: string;
  callOff: () => void;
}

/** The permissions that one agent asks for: its level answers, or a person, or it is stopped. */
export class StepPermissions {
  readonly #parts: Parts;
  /** By the engine's own id. */
  readonly #open = new Map<string, OpenRequest>();
  #answered: AnsweredPermission | undefined;
  /** The request for which the agent was stopped. */
  unanswered: PermissionRequest | undefined;
  /** What kept the log from being written when no listener was there to throw it. */
  fault: { error: unknown } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#answered = parts.answered;
  }

  take(event: Redacted<PermissionEvent>, agent: AgentHandle): void {
    if (event.withdrawn) return this.#withdraw(event.id);
    if (event.denied !== undefined) return reply(agent, event, "reject_once");
    if (event.within_level) return reply(agent, event, "allow_once");
    if (this.#answered && isSameCall(this.#answered, event, agent)) {
      // A person has answered this very call; asked for once more it is another one.
      reply(agent, event, this.#answered.option);
      this.#answered = undefined;
      return;
    }
    this.#ask(event, agent);
  }

  /** The agent is gone. */
  end(): void {
    for (const { callOff } of this.#open.values()) callOff();
    this.#open.clear();
  }

  #ask(event: Redacted<PermissionEvent>, agent: AgentHandle): void {
    // An agent that is being stopped asks in vain: it asks again when it goes on.
    if (this.unanswered) return;
    const { desk, waitMs, ids, later } = this.#parts;
    const requestId = `q-perm${ids.random(8)}`;
    const fingerprint = isWhole(event.input) ? undefined : agent.fingerprint(event.id);
    const request = fromRedacted(event, ({ tool, options, action, input }) => {
      const call = { tool, input: cutJson(input, longestInputBytes), ...(action && { action }) };
      return { id: requestId, ...call, options, ...(fingerprint !== undefined && { fingerprint }) };
    });
    if (!desk) return this.#stop(agent, request);
    desk.open(request, (option) => {
      this.#forget(event.id);
      reply(agent, event, option);
    });
    const callOff = later(waitMs, () => {
      try {
        // The others are asked again when the agent goes on.
        for (const { id } of this.#open.values()) desk.close(id, "unanswered");
      } catch (error) {
        this.fault = { error };
      }
      this.end();
      this.#stop(agent, request);
    });
    this.#open.set(event.id, { id: request.id, callOff });
  }

  #stop(agent: AgentHandle, request: PermissionRequest): void {
    this.unanswered = request;
    agent.stop();
  }

  #withdraw(engineId: string): void {
    const request = this.#forget(engineId);
    if (request) this.#parts.desk?.close(request.id, "withdrawn");
  }

  #forget(engineId: string): OpenRequest | undefined {
    const request = this.#open.get(engineId);
    request?.callOff();
    this.#open.delete(engineId);
    return request;
  }
}

/** Of a long input only the beginning was kept, and of a secret nothing: such a call is known by its fingerprint, or asked. */
function isSameCall(request: PermissionRequest, { id, tool, input }: PermissionEvent, agent: AgentHandle): boolean {
  if (request.tool !== tool) return false;
  if (request.fingerprint !== undefined) return agent.isCall(id, request.fingerprint);
  return isWhole(input) && JSON.stringify(request.input) === JSON.stringify(input);
}

/** Whether nothing of it is cut or redacted. */
function isWhole(input: PermissionEvent["input"]): boolean {
  const text = JSON.stringify(input);
  return !text.includes("[redacted:") && JSON.stringify(cutJson(input, longestInputBytes)) === text;
}

function reply(agent: AgentHandle, { id, options, denied }: PermissionEvent, kind: OptionKind): void {
  // An agent that offers nothing for once gets what comes nearest: it must not wait for ever.
  const nearest = isAllowed(kind) ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = [kind, ...nearest].flatMap((each) => options.find((one) => one.kind === each) ?? [])[0];
  if (!option) return;
  try {
    agent.answer(id, option.id, denied);
  } catch (error) {
    // One that asked and has ended by now needs no answer.
    if (!(error instanceof ClewError)) throw error;
  }
}
